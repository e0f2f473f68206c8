/** Files that a script makes and then runs, or that were there before: read where their text is told, opaque where not. */
import { downloadTargets } from "./network.ts";
import { readGit } from "../../safety/git-run.ts";
import { hasFlag, readOptions, valuesOf } from "../../shell/options.ts";
import type { Redirect } from "../../shell/command.ts";
import type { Path } from "../../shell/path.ts";
import { joinWords, leadingText, plainWord, scriptText, type Word } from "../../shell/word.ts";
import { type Finding, finding } from "../danger.ts";
import type { FileText } from "../facts.ts";
import { isHarmlessCode, type Language } from "./inline.ts";
import type { Memory, Scene } from "../scene.ts";
import { isUntold } from "../untold.ts";
import { whereIs } from "../where.ts";

/** Files remembered in one script, and those that are looked up for it. */
const MAX_MADE = 256;
const MAX_RUNS = 8;

type Spot = Pick<Scene, "directory" | "memory">;

const remember = (file: Word, content: Word | null, { directory, memory }: Spot): void => {
  const where = whereIs(file, directory, memory.facts);
  if ("path" in where && memory.made.size < MAX_MADE) memory.made.set(where.path, content);
};

/** What this very script made at a path or around it: its text, null where that is not told; else undefined. */
const madeAt = (file: Word, { directory, memory }: Spot): Word | null | undefined => {
  const where = whereIs(file, directory, memory.facts);
  if (!("path" in where)) return undefined;
  const maker = [...memory.made.keys()].find(
    (path) => path === where.path || path === "." || where.path.startsWith(`${path}/`),
  );
  return maker === undefined ? undefined : memory.made.get(maker);
};

/** What a redirection makes; `>>` adds to what is told, or to what nobody has seen. */
export const rememberRedirect = (redirect: Redirect, directory: Path | null, memory: Memory): void => {
  if (redirect.access !== "write") return;
  const spot = { directory, memory };
  const { operator, target, content } = redirect;
  if (operator === ">" || operator === ">|") return remember(target, content, spot);
  const before = madeAt(target, spot) ?? null;
  const both = before === null || content === null ? null : joinWords([before, content], "\n");
  remember(target, both, spot);
};

/** What a command makes, for those that write what comes from elsewhere. */
export const rememberFiles = (scene: Scene): void => {
  const { program, args, stdin } = scene.command;
  const all = (words: readonly Word[], content: Word | null): void => {
    for (const word of words) remember(word, content, scene);
  };
  const plain = args.filter((word) => !leadingText(word).startsWith("-"));
  switch (program ?? "") {
    case "curl":
    case "wget":
      return all(downloadTargets(program ?? "", args), null);
    case "tee":
      return all(plain, stdin);
    case "aria2c":
      return all(
        args.flatMap((word, at) => (leadingText(args[at - 1] ?? word) === "-o" ? [word] : [])),
        null,
      );
    case "git":
      return all(cloned(args), null);
    case "cp":
    case "mv":
    case "ln":
    case "install":
      return carry(plain, scene);
    case "tar":
    case "bsdtar":
    case "unzip":
      return unpack(args, scene);
    default:
  }
};

/** What was made goes on under another name. */
const carry = (words: readonly Word[], scene: Scene): void => {
  const [target, ...sources] = words.toReversed();
  const content = sources.map((source) => madeAt(source, scene)).find((each) => each !== undefined);
  if (target !== undefined && content !== undefined) remember(target, content, scene);
};

/** An archive that this script fetched, or that is piped in, holds what nobody has seen. */
const unpack = (args: readonly Word[], scene: Scene): void => {
  const { options, operands } = readOptions(args, {
    short: "fCd",
    long: ["file", "directory"],
    permute: true,
  });
  const archives = [...valuesOf(options, ["f", "file"]), ...operands.slice(0, 2)];
  const fed = scene.command.program !== "unzip" && scene.command.input === "pipe";
  if (!fed && archives.every((word) => madeAt(word, scene) === undefined)) return;
  const unpacks =
    scene.command.program === "unzip" || hasFlag(options, "x") || /^-?\w*x/.test(leadingText(args[0] ?? DOT));
  const [target = DOT] = valuesOf(options, ["C", "directory", "d"]);
  if (unpacks) remember(target, null, scene);
};

const DOT = plainWord(".");

/** The directory that `git clone` makes. */
const cloned = (args: readonly Word[]): readonly Word[] => {
  const call = readGit(args);
  if (call?.subcommand !== "clone") return [];
  const [source, target] = call.args.filter((word) => !leadingText(word).startsWith("-"));
  if (target !== undefined) return [target];
  const name = source === undefined ? "" : leadingText(source).replace(/\/+$/, "").split(/[/:]/).at(-1);
  return name === undefined || name === "" ? [] : [plainWord(name.replace(/\.git$/, ""))];
};

/** What running a file means, by its text: what this very script wrote, else what stands there. */
export const madeFindings = (
  file: Word,
  language: Language | "shell",
  { directory, memory }: Scene,
): readonly Finding[] => {
  const where = whereIs(file, directory, memory.facts);
  if (!("path" in where)) return [];
  const { path } = where;
  const content = madeAt(file, { directory, memory });
  if (content === null || (content !== undefined && isUntold(content)))
    return [unseen(path, "comes from elsewhere")];
  if (content !== undefined) return textFindings(path, scriptText(content), language, memory);
  if (where.kind !== "inside" || !where.exact) return [];
  const known = memory.facts.files.get(path);
  if (known !== undefined) return standingFindings(path, known, language, memory);
  if (memory.runs.size < MAX_RUNS) memory.runs.add(path);
  return [];
};

const unseen = (path: string, why: string): Finding =>
  finding("EXEC_ARBITRARY", `runs ${path}, which ${why}`, "high");

/** A script of the project is read for what it does; code in other languages for what is new in it. */
const standingFindings = (
  path: string,
  { whole, written }: FileText,
  language: Language | "shell",
  memory: Memory,
): readonly Finding[] => {
  if (whole === null)
    return written === "nothing" ? [] : [unseen(path, "git does not have and nobody can read")];
  const spoken = spokenIn(whole, language);
  if (spoken === "shell") {
    const findings = textFindings(path, whole, spoken, memory);
    return written === "nothing"
      ? findings.filter(({ category }) => category !== "EXEC_ARBITRARY")
      : findings;
  }
  if (written === "nothing") return [];
  return textFindings(path, written === "all" ? whole : written.lines, spoken, memory);
};

const textFindings = (
  path: string,
  text: string,
  language: Language | "shell",
  memory: Memory,
): readonly Finding[] => {
  const spoken = spokenIn(text, language);
  if (spoken !== "shell") return isHarmlessCode(spoken, text, true) ? [] : [unseen(path, "was just written")];
  const key = `file ${path}`;
  if (memory.reading.has(key)) return [];
  memory.reading.add(key);
  const findings = memory.judge(text);
  memory.reading.delete(key);
  return findings;
};

/** A script that is run by its own name says on its first line what reads it. */
const spokenIn = (text: string, language: Language | "shell"): Language | "shell" => {
  const [first = ""] = text.slice(0, 200).split("\n", 1);
  if (language !== "shell" || !first.startsWith("#!")) return language;
  const found = SPOKEN.find(([program]) => program.test(first));
  return found === undefined ? "shell" : found[1];
};

const SPOKEN: readonly (readonly [RegExp, Language])[] = [
  [/\b(?:python|pypy)/, "python"],
  [/\b(?:node|bun|deno|tsx)/, "node"],
  [/\bperl/, "perl"],
  [/\bruby/, "ruby"],
  [/\bphp/, "php"],
  [/\blua/, "lua"],
];
