/**
 * EXEC_ARBITRARY: what runs something that reading the command does not show. Not what runs a program or a script of
 * the project: that is what commands are for.
 */
import { hasFlag, readOptions } from "../safety/options.ts";
import { SHELLS } from "../safety/unwrap.ts";
import { constantText, leadingText, scriptText, type Word } from "../safety/word.ts";
import { type Finding, finding } from "./danger.ts";
import { readRunning } from "./interpreters.ts";
import { madeFindings } from "./made.ts";
import { isPattern, runningFindings } from "./running.ts";
import type { Scene } from "./scene.ts";
import { isTame, isUntold } from "./untold.ts";

export const opaqueFindings = (scene: Scene): readonly Finding[] => {
  const { command } = scene;
  const { name, program, args } = command;
  if (name === null) return [];
  const assigned = command.assignments.flatMap(({ name: key, value }) => assignmentFindings(key, value));
  if (program === null)
    return isUntold(name) ? [...assigned, hidden(`runs whatever ${sourcesOf(name)} gives`)] : assigned;
  if (isPattern(name)) return [...assigned, hidden(`runs whatever matches ${leadingText(name)}`)];
  if (MARKS.has(program)) return [...assigned, hidden("runs commands that another program gives it")];
  const running = readRunning(program, args);
  const own = running === null ? [] : runningFindings(running, scene);
  const made = /\//.test(leadingText(name)) ? madeFindings(name, "shell", scene) : [];
  return [...assigned, ...own, ...made, ...programFindings(program, args, scene)];
};

const hidden = (change: string): Finding => finding("EXEC_ARBITRARY", change, "high");

/** What `find` and `xargs` put their items in the place of. */
const MARKS: ReadonlySet<string> = new Set(["{}", "%"]);

const sourcesOf = ({ pieces }: Word): string =>
  pieces.flatMap((piece) => (piece.kind === "unknown" ? [piece.source] : [])).join(" ");

/** Variables that make programs run something. */
const RUNNING =
  /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PROMPT_COMMAND|PS4|PYTHONSTARTUP|PERL5OPT|PERL5DB|RUBYOPT|GIT_SSH|GIT_SSH_COMMAND|GIT_PROXY_COMMAND|GIT_EXTERNAL_DIFF|GIT_ASKPASS|SSH_ASKPASS|LESSOPEN|LESSCLOSE)$/;

const assignmentFindings = (name: string, value: Word | null): readonly Finding[] => {
  if (value === null || value.pieces.length === 0) return [];
  const loads = name === "NODE_OPTIONS" && /--(?:require|import|loader|eval)|-r\b/.test(leadingText(value));
  return RUNNING.test(name) || loads ? [hidden(`sets ${name}, which makes programs run something`)] : [];
};

const programFindings = (program: string, args: readonly Word[], scene: Scene): readonly Finding[] => {
  const check = CHECKS.get(program);
  return check?.(args, scene) === true ? [hidden(`${program} runs what is not shown`)] : [];
};

type Check = (args: readonly Word[], scene: Scene) => boolean;

const texts = (args: readonly Word[]): readonly string[] => args.map(leadingText);

const any =
  (pattern: RegExp): Check =>
  (args) =>
    texts(args).some((text) => pattern.test(text));

const always: Check = () => true;

/** A shell among the words, whose script has the mark in it for what is found. */
const feedsShell = (words: readonly Word[], mark: string): boolean => {
  const at = words.findIndex((word) => SHELLS.has((constantText(word) ?? "").split("/").at(-1) ?? ""));
  const running = at === -1 ? null : readRunning("sh", words.slice(at + 1));
  return running?.code.some((word) => mark !== "" && scriptText(word).includes(mark)) ?? false;
};

const XARGS = { short: "aEIJLnPsdR", long: ["arg-file", "replace"], permute: false };

const xargs: Check = (args) => {
  const { options, operands } = readOptions(args, XARGS);
  const replace = options.find(({ name }) => name === "I" || name === "i" || name === "replace");
  const mark =
    replace === undefined ? "" : replace.value === null ? "{}" : (constantText(replace.value) ?? "");
  return feedsShell(operands, mark);
};

const parallel: Check = (args, { command }) => {
  const { operands } = readOptions(args, {
    short: "jaNnLlIdEPsSX",
    long: ["jobs", "arg-file"],
    permute: false,
  });
  return operands.length === 0 && command.stdin === null;
};

const unknownScript: Check = (args) => args.some((word) => isUntold(word) && !isTame(word));

/** `e` runs the pattern space, `1e command` a command, `s/a/b/e` what it made. */
const sed: Check = (args) => {
  const { options, operands } = readOptions(args, {
    short: "efl",
    long: ["expression", "file"],
    permute: true,
  });
  const told = options.flatMap(({ name, value }) =>
    value !== null && (name === "e" || name === "expression") ? [value] : [],
  );
  return (told.length > 0 ? told : operands.slice(0, 1)).some((word) => runsInSed(scriptText(word)));
};

const runsInSed = (script: string): boolean =>
  /(?:^|[;{\n])[ \t]*(?:(?:\d+|\$|\/(?:\\.|[^/\\])*\/)(?:,(?:\d+|\$|\/(?:\\.|[^/\\])*\/))?[ \t]*!?[ \t]*)?e(?:\s|$)/.test(
    script,
  ) || /(?:^|[;{\n\d$/}\s])s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiImM\d]*e/.test(script);

const awk: Check = (args) => {
  const { operands } = readOptions(args, { short: "fFv", long: ["file", "assign"], permute: false });
  const [program] = operands;
  if (program === undefined) return false;
  if (isUntold(program) && program.pieces.length === 1) return true;
  return /\bsystem\s*\(|\|&?\s*getline|\|&?\s*"|@load|@include/.test(scriptText(program));
};

const exporting: Check = (args) =>
  args.some((word) => {
    const name = /^(\w+)=./.exec(leadingText(word))?.[1];
    return name !== undefined && RUNNING.test(name);
  });

const vim: Check = any(/^(?:\+|:)?!|^\+?:?(?:!|sil(?:ent)? *!|lua |py(?:thon)?3? |call system|so(?:urce)? )/);

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["eval", (args) => args.length > 0],
  ["xargs", xargs],
  ["find", (args) => feedsShell(args, "{}")],
  ["parallel", parallel],
  ["watch", unknownScript],
  ["trap", unknownScript],
  ["alias", unknownScript],
  ["export", exporting],
  ["declare", exporting],
  ["typeset", exporting],
  ["sed", sed],
  ["gsed", sed],
  ["awk", awk],
  ["gawk", awk],
  ["mawk", awk],
  ["nawk", awk],
  ["tar", any(/^--(?:checkpoint-action=exec|to-command|use-compress-program|info-script|rsh-command)/)],
  ["vim", vim],
  ["vi", vim],
  ["nvim", vim],
  ["ex", always],
  ["ed", always],
  ["emacs", any(/^--?(?:eval|execute|f|funcall|l|load)\b/)],
  ["make", (args) => /(?:^| )(?:--eval|-f ?-(?: |$)|--file=-|SHELL=)/.test(texts(args).join(" "))],
  ["at", (args, scene) => !any(/^-[lrdc]/)(args, scene)],
  ["batch", always],
  ["enable", (args) => hasFlag(readOptions(args, { short: "f", long: [], permute: true }).options, "f")],
  ["hash", any(/^-p/)],
  ["gdb", any(/^-(?:-?ex|-?eval-command|x|-?command)/)],
  ["nc", any(/^-\w*[ec]$/)],
  ["ncat", any(/^-\w*[ec]$|^--(?:exec|sh-exec)/)],
  ["socat", any(/(?:EXEC|SYSTEM|SHELL):/i)],
  ["rsync", any(/^--rsync-path=.*[;&|]/)],
  ["zip", any(/^-TT|^--unzip-command/)],
  ["man", any(/^(?:-P|--pager|-H)/)],
  ["pwsh", any(/^-(?:c|command|e|ec|enc|encodedcommand)$/i)],
  ["powershell", any(/^-(?:c|command|e|ec|enc|encodedcommand)$/i)],
  ["ghc", any(/^-e/)],
  ["erl", any(/^-eval$/)],
  ["ssh", any(/ProxyCommand|LocalCommand/i)],
]);
