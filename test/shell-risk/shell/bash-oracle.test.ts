import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesGlob } from "../../../src/shell-risk/shell/glob.ts";
import { parse } from "../../../src/shell-risk/shell/shell.ts";
import type { Word } from "../../../src/shell-risk/shell/word.ts";

/** What bash itself makes of the same text, in one process for all samples. Only builtins run. */
const bash = (script: string): string =>
  execFileSync("/bin/bash", ["--norc"], {
    input: script,
    encoding: "utf8",
    env: { HOME: "/HOME", PATH: "", LC_ALL: "C.UTF-8" },
    maxBuffer: 64 * 1024 * 1024,
  });

const valueOf = (word: Word): string =>
  word.pieces
    .map((piece) => (piece.kind === "text" ? piece.text : piece.kind === "place" ? "/HOME" : "?"))
    .join("");

const LITERALS = [
  "a",
  "bc",
  "-rf",
  "/",
  ".",
  "é",
  "\\ ",
  "\\*",
  "\\\\",
  "\\$",
  "\\\n",
  "''",
  '""',
  "'q r'",
  "'$x'",
  '"a b"',
];
const ESCAPES = ['"\\$\\"\\\\\\z"', "$'\\t\\x41\\101\\u00e9\\''", '$"tr"', "{a,b}", "{a,{b,c}}", "{}", "{a}"];
const EXPANSIONS = ['"$1"', "${1}", '"pre ${1}post"', "${2}", '"$2"', "$HOME", '"$HOME"'];
const PARTS = [...LITERALS, ...ESCAPES, ...EXPANSIONS];

const PRELUDE = "set -f; set -- 'p  q' ''\n";

test("words are split, joined and unquoted as bash does it", () => {
  const words = fc
    .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(""));
  const lines = fc
    .sample(fc.array(words, { minLength: 1, maxLength: 3 }), 1_500)
    // Where `$HOME` touches a letter or a brace it would be another name.
    .map((each) => `${each.join(" ").replaceAll(/\$HOME(?=[\w{\\])/g, "${HOME}")} end`);
  const expected = bash(
    PRELUDE + lines.map((line) => `printf '%s\\0' x ${line}; printf '\\1'`).join("\n"),
  ).split("\u0001");
  const actual = lines.map((line) => {
    const { steps } = parse(`${PRELUDE}f x ${line}`);
    const command = steps.find((step) => step.kind === "command" && step.program === "f");
    return (command?.kind === "command" ? command.args : []).map((word) => `${valueOf(word)}\0`).join("");
  });
  const different = lines.flatMap((line, index) =>
    actual[index] === expected[index] ? [] : [{ line, bash: expected[index], parley: actual[index] }],
  );
  expect(different).toEqual([]);
});

test("patterns match names as in bash", () => {
  const pattern = fc.array(fc.constantFrom("*", "?", "a", "g", ".", "[a-g]", "[!.]", "[^g]", "\\*", "[]]"), {
    minLength: 1,
    maxLength: 5,
  });
  const name = fc.array(fc.constantFrom("a", "g", "*", "z", "]", "."), { minLength: 1, maxLength: 5 });
  // Only file name expansion treats a leading dot specially, so the names here have none.
  const samples = fc
    .sample(fc.tuple(pattern, name), 3_000)
    .map(([parts, characters]) => [parts.join(""), `a${characters.join("")}`] as const);
  const expected = bash(
    samples.map(([glob, text]) => `case '${text}' in ${glob}) printf 1;; *) printf 0;; esac`).join("\n"),
  );
  const actual = samples.map(([glob, text]) => (matchesGlob(glob, text) ? "1" : "0")).join("");
  expect(samples.filter((_, index) => actual[index] !== expected[index])).toEqual([]);
  expect(matchesGlob("*", ".git")).toBe(false);
  expect(matchesGlob(".*", ".git")).toBe(true);
});
