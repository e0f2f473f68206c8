/** Walks the commands and redirections of a read script in their order and collects what each of them means. Pure. */
import type { Redirect, SimpleCommand } from "../../shell/command.ts";
import type { ParsedScript } from "../../shell/shell.ts";
import { type Directories, directoryOf, noteDirectory } from "../../safety/working-directory.ts";
import { leadingText } from "../../shell/word.ts";
import { commandFindings } from "../command-findings.ts";
import { type Finding, finding, UNREAD } from "../danger.ts";
import { rememberFiles, rememberRedirect } from "./made.ts";
import type { Memory, Scene } from "../scene.ts";
import { touch } from "./touch.ts";

/** Findings of a script that is still text. */
export const judgeScript = (script: string, memory: Memory): readonly Finding[] => {
  const parsed = memory.read(script);
  if (parsed !== null) return judgeParsed(parsed, memory);
  memory.incomplete = true;
  return [];
};

/** Commands and redirections of one script that are judged; nobody who is asked could look at more. */
const MAX_JUDGED = 2_000;

const judgeParsed = (
  { commands, redirects, ...parsed }: ParsedScript,
  memory: Memory,
): readonly Finding[] => {
  const findings: Finding[] = [];
  const directories: Directories = new Map();
  const judged = commands.slice(0, MAX_JUDGED);
  const waiting = redirects.slice(0, MAX_JUDGED).toSorted((a, b) => b.after - a.after);
  const takeRedirects = (done: number): void => {
    for (let next = waiting.at(-1); next !== undefined && next.after <= done; next = waiting.at(-1)) {
      waiting.pop();
      const directory = directoryOf(next.scope, directories);
      for (const each of redirectFindings(next, { directory, memory })) findings.push(each);
      rememberRedirect(next, directory, memory);
    }
  };
  for (const [index, command] of judged.entries()) {
    takeRedirects(index);
    const scene: Scene = { command, directory: directoryOf(command.scope, directories), memory };
    for (const each of commandFindings(scene)) findings.push(each);
    rememberFiles(scene);
    noteDirectory(command, directories);
  }
  takeRedirects(commands.length);
  if (judged.filter(multiplies).length > 1) {
    findings.push(finding("SYSTEM_IMPACT", "starts itself again and again", "high"));
  }
  if (parsed.kind === "unparseable") findings.push(UNREAD[parsed.reason]);
  if (Math.max(commands.length, redirects.length) > MAX_JUDGED) findings.push(UNREAD.bounds);
  return findings;
};

/** A function called inside itself with nothing to tell it when to end: a fork bomb has two of these. */
const multiplies = ({ program, via, args }: SimpleCommand): boolean =>
  program !== null && args.length === 0 && via.includes(program);

/** bash makes a connection of such a path. */
const CONNECTION = /^\/dev\/(?:tcp|udp)\//;

const redirectFindings = (redirect: Redirect, scene: Omit<Scene, "command">): readonly Finding[] => {
  const path = leadingText(redirect.target);
  if (CONNECTION.test(path)) return [finding("NETWORK_RISK", `connects to ${path}`)];
  if (redirect.access === "read") return touch(redirect.target, "look", scene);
  const empties = redirect.content?.pieces.length === 0 && !redirect.operator.startsWith(">>");
  return touch(redirect.target, empties || redirect.operator === ">|" ? "destroy" : "write", scene);
};
