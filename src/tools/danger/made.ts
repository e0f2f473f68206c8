/** Files that a script makes and then runs: read where their text is told, opaque where it is not. */
import { downloadTargets } from "./network.ts";
import { readGit } from "../safety/git-run.ts";
import type { Redirect } from "../safety/command.ts";
import type { Path } from "../safety/path.ts";
import { leadingText, scriptText, type Word } from "../safety/word.ts";
import { type Finding, finding } from "./danger.ts";
import { isHarmlessCode, type Language } from "./inline.ts";
import type { Memory, Scene } from "./scene.ts";
import { isUntold } from "./untold.ts";
import { whereIs } from "./where.ts";

/** Files remembered in one script. */
const MAX_MADE = 256;

const remember = (file: Word, content: Word | null, directory: Path | null, memory: Memory): void => {
  const where = whereIs(file, directory, memory.facts);
  if ((where.kind === "inside" || where.kind === "outside") && memory.made.size < MAX_MADE) {
    memory.made.set(where.path, content);
  }
};

/** What a redirection makes; `>>` adds to what nobody has seen. */
export const rememberRedirect = (redirect: Redirect, directory: Path | null, memory: Memory): void => {
  if (redirect.access !== "write") return;
  const whole = redirect.operator === ">" || redirect.operator === ">|";
  remember(redirect.target, whole ? redirect.content : null, directory, memory);
};

/** What a command makes, for those that write what comes from elsewhere. */
export const rememberFiles = ({ command, directory, memory }: Scene): void => {
  const { program, args } = command;
  const all = (words: readonly Word[], content: Word | null): void => {
    for (const word of words) remember(word, content, directory, memory);
  };
  if (program === "curl" || program === "wget") all(downloadTargets(program, args), null);
  if (program === "tee")
    all(
      args.filter((word) => !leadingText(word).startsWith("-")),
      command.stdin,
    );
  if (program === "aria2c")
    all(
      args.flatMap((word, at) => (leadingText(args[at - 1] ?? word) === "-o" ? [word] : [])),
      null,
    );
  if (program === "git") all(cloned(args), null);
};

/** The directory that `git clone` makes. */
const cloned = (args: readonly Word[]): readonly Word[] => {
  const call = readGit(args);
  if (call?.subcommand !== "clone") return [];
  const [source, target] = call.args.filter((word) => !leadingText(word).startsWith("-"));
  if (target !== undefined) return [target];
  const name = source === undefined ? "" : /([^/:]+?)(?:\.git)?\/*$/.exec(leadingText(source))?.[1];
  return name === undefined || name === "" ? [] : [{ pieces: [{ kind: "text", text: name, active: false }] }];
};

/** What running a file means when this very script made it; nothing for a file that was there before. */
export const madeFindings = (
  file: Word,
  language: Language | "shell",
  { directory, memory }: Scene,
): readonly Finding[] => {
  const where = whereIs(file, directory, memory.facts);
  if (where.kind !== "inside" && where.kind !== "outside") return [];
  const maker = [...memory.made.keys()].find(
    (path) => path === where.path || where.path.startsWith(`${path}/`),
  );
  if (maker === undefined) return [];
  const content = memory.made.get(maker);
  if (content === undefined || content === null || isUntold(content)) {
    return [finding("EXEC_ARBITRARY", `runs ${where.path}, which comes from elsewhere`, "high")];
  }
  const text = scriptText(content);
  if (language !== "shell" && isHarmlessCode(language, text)) return [];
  if (language !== "shell")
    return [finding("EXEC_ARBITRARY", `runs ${where.path}, which it has just written`, "high")];
  return reading(where.path, memory, () => memory.judge(text));
};

const reading = (path: string, memory: Memory, read: () => readonly Finding[]): readonly Finding[] => {
  const key = `file ${path}`;
  if (memory.reading.has(key)) return [];
  memory.reading.add(key);
  const findings = read();
  memory.reading.delete(key);
  return findings;
};
