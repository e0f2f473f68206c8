import { readOptions, valuesOf } from "../shell/options.ts";
import { constantText, dropText, EMPTY, leadingText, type Word } from "../shell/word.ts";
import type { DangerFinding } from "../danger/danger.ts";
import { scriptFindings } from "./publish.ts";
import type { ProgramRule, RuleContext } from "../danger/rule-context.ts";
import { type PathUse, fileAccessFindings, touchAll } from "./file-access.ts";
import { type ProgramUsage, usageRule, usages } from "./usage.ts";

/** Programs whose arguments are text, numbers or names, so they open no files. */
const WORDS =
  "echo printf test [ [[ _ ]] expr true false : return exit break continue shift let export declare local readonly " +
  "typeset set unset alias unalias type which whereis hash man info help tldr whatis apropos basename dirname " +
  "readlink realpath seq sleep wait jobs fg bg disown read getopts logger tr kill pkill pgrep killall umask ulimit " +
  "trap times history yes factor uuidgen cal tput stty getent id groups whoami users who uname arch nproc uptime " +
  "free env printenv ps top lsof gh glab aws gcloud az kubectl terraform ssh curl wget eval xargs parallel su watch " +
  "bazel bazelisk buck2 pants notify-send xdotool openssl-speed mapfile readarray shopt enable complete compgen " +
  "bind";

/** Programs whose first operand is the search pattern, unless `-e` or `-f` is given. */
const SEARCHES = "grep egrep fgrep zgrep rg ag ack";

/** Programs that open files without changing any. */
const READERS =
  "cat bat head tail less more ls tree wc file stat diff cmp comm uniq cut nl tac od xxd hexdump strings readelf nm " +
  "objdump ldd size md5sum sha1sum sha256sum sha512sum cksum b2sum du df column fold fmt paste join rev zcat xzcat bzcat";

export const searchingText = usageRule({
  values: "e f A B C m d D g t T v F j regexp file glob type include exclude exclude-dir after assign color",
  also: ({ options, operands }, scene) => {
    const told = options.some(({ name }) => ["e", "f", "regexp", "file", "files"].includes(name));
    return touchAll([...(told ? operands : operands.slice(1)), ...valuesOf(options, ["f"])], "look", scene);
  },
});

/** `cd` by itself opens nothing, but later commands run there. */
const changing: ProgramRule = (args, scene) => {
  const [word] = readOptions(args).operands;
  if (word === undefined)
    return fileAccessFindings({ pieces: [{ kind: "place", place: "home" }] }, "look", scene);
  return constantText(word) === "-" ? [] : fileAccessFindings(word, "look", scene);
};

/** Values of variables may be paths; targets are words. */
const making: ProgramUsage = {
  reads: "C f I directory file makefile",
  values: "o W j l include-dir jobs old-file assume-new",
  also: ({ operands }, scene) => {
    const values = operands.flatMap((word) => {
      const name = /^\w+=/.exec(leadingText(word))?.[0];
      return name === undefined ? [] : [dropText(word, name.length)];
    });
    return [
      ...touchAll(values.filter(isNoProgram), "write", scene),
      ...operands.flatMap((word) => scriptFindings(constantText(word) ?? "")),
    ];
  },
};

/** Options that name an output file, for programs without a special rule. */
const OUTPUT = /^-(?:o|O|-output|-out|out|-outfile|-output-file|keyout)$/;

/** The word after `-o` is written. All other operands and option values may be files that are used. */
export const ordinary: ProgramRule = (args, scene) =>
  filesIn(args, READING.has(scene.command.program ?? "") ? "look" : "read", scene);

const READING: ReadonlySet<string> = new Set(READERS.split(" "));

export const outputs: ProgramRule = (args, scene) => filesIn(args, null, scene);

const filesIn = (
  args: readonly Word[],
  access: PathUse | null,
  scene: RuleContext,
): readonly DangerFinding[] =>
  args.flatMap((word, at): readonly DangerFinding[] => {
    const text = leadingText(word);
    const [name = ""] = /^-[^=]*(?==)/.exec(text) ?? [];
    const value = name === "" ? word : dropText(word, name.length + 1);
    if (OUTPUT.test(name) || OUTPUT.test(constantText(args[at - 1] ?? EMPTY) ?? ""))
      return fileAccessFindings(value, "write", scene);
    const isFlag = name === "" && text.startsWith("-");
    return access === null || isFlag || (name !== "" && !isNoProgram(value))
      ? []
      : fileAccessFindings(value, access, scene);
  });

/** In `--python=/usr/bin/python3` the value is a program of the system. */
const isNoProgram = (word: Word): boolean => !isSystemProgram(leadingText(word));

/** Whether the path is in a system directory for programs. Such a program counts like its name alone. */
export const isSystemProgram = (path: string): boolean =>
  /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/.test(path) || path.startsWith("/usr/lib/git-core/");

/** Rules by program; all other programs use `ordinary`. */
export const ORDINARY = usages({
  [WORDS]: {},
  [SEARCHES]: searchingText,
  "cd pushd": changing,
  "make gmake": making,
});

export const hasPath = ({ pieces }: Word): boolean =>
  pieces.some((piece) => piece.kind === "text" && piece.text.includes("/"));

/** Judges the path of a program: outside the checkout only system programs are ordinary. */
export const programFindings = (name: Word, scene: RuleContext): readonly DangerFinding[] => {
  const text = leadingText(name);
  return hasPath(name) && !isSystemProgram(text) && !/^\/etc\/(?:init|rc)\.d\//.test(text)
    ? fileAccessFindings(name, "read", scene)
    : [];
};
