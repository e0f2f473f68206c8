/** Every function over the text of a command, a script or a project file is linear in its length. */
import { expect, test } from "vitest";
import { isHarmlessCode } from "../../src/shell-risk/programs/inline.ts";
import { classify } from "../../src/shell-risk/classify.ts";
import { explain } from "../../src/shell-risk/danger/danger.ts";
import { readSyntax } from "../../src/shell-risk/shell/syntax.ts";
import { readQuoted, readUnquoted } from "../../src/shell-risk/shell/expand.ts";
import { splitExpansion, expandBraces } from "../../src/shell-risk/shell/bits.ts";
import { isTameCommand } from "../../src/shell-risk/shell/escapes.ts";
import { fragmentsOf, type ParsedScript } from "../../src/shell-risk/shell/shell.ts";
import { matchesGlob } from "../../src/shell-risk/shell/glob.ts";
import { plainWord } from "../../src/shell-risk/shell/word.ts";
import { growthFault } from "../linear/growth.ts";
import { FACTS } from "./rows.ts";

/** A command whose words are given, so that what is measured is not its parser. */
const commandOf = (program: string, words: readonly string[]): ParsedScript => ({
  kind: "parsed",
  steps: [
    {
      kind: "command",
      name: plainWord(program),
      program,
      args: words.map(plainWord),
      assignments: [{ name: "PAGER", value: plainWord(words.at(-1) ?? "") }],
      stdin: plainWord(words.at(-1) ?? ""),
      input: "text",
      via: [],
    },
  ],
});

const bash = { judge: "script" as const, input: { command: "x" } };

const programs =
  "sed awk sqlite3 tar git curl http find xargs make vim tmux npm python3 node gdb rm cp unheard-of";

const FUNCTIONS: readonly (readonly [string, (text: string) => unknown])[] = [
  ["fragments", fragmentsOf],
  ["quoted", readQuoted],
  ["unquoted", readUnquoted],
  ["syntax", readSyntax],
  ["a glob", (text) => matchesGlob(text, ".git")],
  ["a tame command", (text) => isTameCommand(plainWord(text))],
  ["splitting", (text) => splitExpansion([{ kind: "text", text, active: true }])],
  ["braces", (text) => expandBraces([{ kind: "text", text, active: true }])],
  ["an explanation", (text) => explain([{ category: "SUDO", risk: "low", change: text }], text)],
  ["a path", (path) => classify({ judge: "write", input: { path } }, FACTS, () => null)],
  ...(["python", "node", "script", "other"] as const).map(
    (language) => [language, (text: string) => isHarmlessCode(language, text)] as const,
  ),
  ...programs
    .split(" ")
    .map(
      (program) =>
        [program, (text: string) => classify(bash, FACTS, () => commandOf(program, ["-c", text]))] as const,
    ),
];

const PIECES =
  "a| |\n|/|\\|'|\"|`|$|(|{|<<A\n|#|=|s/|w |print |print >\"|os.|import |open(|getattr(|'''|../|.|a:|\\\n|$(A)|x y |{a,|$'|git "
    .split("|")
    .concat("|");

test.each(FUNCTIONS)("39.D %s", (_, run) => {
  expect(PIECES.flatMap((piece) => growthFault(run, piece) ?? [])).toEqual([]);
});

const slow = (text: string): string => `${text}x`.replaceAll(/[ \t]+$/gm, "");

test("39.D the test would notice time that grows with the square of a text", () => {
  expect(growthFault(slow, " ", [2_000, 20_000])).not.toBeNull();
});
