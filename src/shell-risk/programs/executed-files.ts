/** Files that a script makes and then runs, or that existed before. Their known text is read; unknown text counts as opaque. */
import { readGit } from "../shell/git-run.ts";
import type { Redirect } from "../shell/command.ts";
import { joinWords, leadingText, scriptText, type Word } from "../shell/word.ts";
import { type DangerFinding, finding } from "../danger/danger.ts";
import type { FileText } from "../danger/facts.ts";
import { isHarmlessCode, type ScriptLanguage } from "./inline.ts";
import { languageOf } from "./interpreters.ts";
import { tableOf } from "../shell/table.ts";
import type { Memory, RuleContext } from "../danger/rule-context.ts";
import { isUnresolved } from "../danger/unresolved.ts";
import { type Where, whereIs } from "../danger/where.ts";

const MAX_MADE = 256;
const MAX_RUNS = 8;

const remember = (file: Word, content: Word | null, memory: Memory): void => {
  const where = whereIs(file, memory.facts);
  if ("path" in where && memory.made.size < MAX_MADE) memory.made.set(where.path, content);
};

/**
 * Text that this script wrote at a path or around it. Null if the text is unknown, undefined if the script wrote nothing there.
 */
const madeAt = (file: Word, memory: Memory): Word | null | undefined => {
  const where = whereIs(file, memory.facts);
  if (!("path" in where)) return undefined;
  const maker = [...memory.made.keys()].find(
    (path) => path === where.path || path === "." || where.path.startsWith(`${path}/`),
  );
  return maker === undefined ? undefined : memory.made.get(maker);
};

/** `>>` appends to the known text, or to unknown text. */
export const rememberRedirect = (redirect: Redirect, memory: Memory): void => {
  if (redirect.access !== "write") return;
  const { operator, target, content } = redirect;
  if (operator === ">" || operator === ">|") return remember(target, content, memory);
  const before = madeAt(target, memory) ?? null;
  const both = before === null || content === null ? null : joinWords([before, content], "\n");
  remember(target, both, memory);
};

export const rememberFiles = (scene: RuleContext): void => {
  const { program, args, stdin } = scene.command;
  const plain = args.filter((word) => !leadingText(word).startsWith("-"));
  if (program === "tee") for (const word of plain) remember(word, stdin, scene.memory);
  if (CARRYING.has(program ?? "")) carry(plain, scene);
  if (FETCHES.get(program ?? "")?.(args, scene) === true) scene.memory.fetched = true;
};

const CARRYING: ReadonlySet<string> = new Set("cp mv ln install".split(" "));

/** Whether a program leaves unseen files under unknown names. */
const FETCHES = tableOf<(args: readonly Word[], scene: RuleContext) => boolean>({
  curl: (args) => args.some((word) => /^-(?:\w*[oO]|-output|-remote-name)/.test(leadingText(word))),
  wget: (args) =>
    !/(?:^| )(?:-\w*O ?-|--output-document[= ]-|--spider)(?: |$)/.test(args.map(leadingText).join(" ")),
  aria2c: () => true,
  git: (args) => readGit(args)?.subcommand === "clone",
  "tar bsdtar": (_, { memory, command }) => command.input === "pipe" || memory.fetched,
});

/** Records that a made file continues under another name. */
const carry = (words: readonly Word[], scene: RuleContext): void => {
  const [target, ...sources] = words.toReversed();
  const content = sources.map((source) => madeAt(source, scene.memory)).find((each) => each !== undefined);
  if (target !== undefined && content !== undefined) remember(target, content, scene.memory);
};

/** Findings for running a file, by the text that this script wrote, otherwise by the existing file. */
export const executedFileFindings = (
  file: Word,
  language: ScriptLanguage | "shell",
  { memory }: RuleContext,
): readonly DangerFinding[] => {
  const where = whereIs(file, memory.facts);
  if (!("path" in where)) return [];
  const fetched = memory.fetched ? [unseen(where.path, "may be what was fetched")] : [];
  return [...fetched, ...knownFindings(where, madeAt(file, memory), language, memory)];
};

const knownFindings = (
  where: Extract<Where, { readonly path: string }>,
  content: Word | null | undefined,
  language: ScriptLanguage | "shell",
  memory: Memory,
): readonly DangerFinding[] => {
  const { path } = where;
  if (content === null || (content !== undefined && isUnresolved(content)))
    return [unseen(path, "comes from elsewhere")];
  if (content !== undefined) return textFindings(path, scriptText(content), language, memory);
  if (where.kind !== "inside" || !where.exact) return [];
  const known = memory.facts.files.get(path);
  if (known !== undefined) return standingFindings(path, known, language, memory);
  if (memory.runs.size < MAX_RUNS) memory.runs.add(path);
  return [];
};

const unseen = (path: string, why: string): DangerFinding =>
  finding("EXEC_ARBITRARY", `runs ${path}, which ${why}`, "high");

/** A shell script of the project is read completely, code in other languages only for its new part. */
const standingFindings = (
  path: string,
  { whole, written }: FileText,
  language: ScriptLanguage | "shell",
  memory: Memory,
): readonly DangerFinding[] => {
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
  language: ScriptLanguage | "shell",
  memory: Memory,
): readonly DangerFinding[] => {
  const spoken = spokenIn(text, language);
  if (spoken !== "shell") return isHarmlessCode(spoken, text, true) ? [] : [unseen(path, "was just written")];
  return memory.judge(`file ${path}`, text);
};

/** The first line of a script that is run by name contains its interpreter. */
const spokenIn = (text: string, language: ScriptLanguage | "shell"): ScriptLanguage | "shell" => {
  const [first = ""] = text.slice(0, 200).split("\n", 1);
  if (language !== "shell" || !first.startsWith("#!")) return language;
  const programs = first.slice(2).split(/[\s/]+/);
  // A version or build may follow the interpreter's name: `perl5.36-x86_64-linux-gnu`.
  const known = programs.map((name) => languageOf(name) ?? languageOf(/^[A-Za-z]*/.exec(name)?.[0] ?? ""));
  return known.find((each) => each !== undefined) ?? "shell";
};
