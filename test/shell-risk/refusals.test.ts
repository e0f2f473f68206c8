import { describe, expect, test } from "vitest";
import { BLIND_ADD, CRITICAL_RM, FORCE_PUSH, refuse } from "../../src/shell-risk/refusals.ts";
import { parse } from "../../src/shell-risk/shell/shell.ts";
import {
  ADDS,
  BROKEN,
  DELETIONS,
  PUSHES,
  type Row,
  UNREAD,
  type Verdict,
  WRAPPINGS,
} from "./refusals-corpus.ts";
import { categoriesOf } from "./rows.ts";
import { quoteWord, wrapIn } from "./spelling.ts";

const TEXT: Readonly<Record<Verdict, string | null>> = {
  allow: null,
  add: BLIND_ADD,
  push: FORCE_PUSH,
  rm: CRITICAL_RM,
};

const verdictOf = (command: string): string | null => refuse(parse(command));

test("BASH-007: the three texts are those of the requirement", () => {
  expect([BLIND_ADD, FORCE_PUSH, CRITICAL_RM]).toEqual([
    "permission denied: blind git add commands (git add -A, git add ., git add --all, git add *) are not allowed, specify files explicitly",
    "permission denied: git push --force is not allowed. Use --force-with-lease for safer force pushes, or push without force",
    "permission denied: this rm command could delete critical data (.git, home directory, or root). Specify the full path explicitly (no wildcards, ~, or $HOME)",
  ]);
});

const table = (name: string, rows: readonly Row[]): void => {
  describe(name, () => {
    test.each(rows)("$verdict: $command", ({ command, verdict }) => {
      expect(verdictOf(command)).toBe(TEXT[verdict]);
    });
  });
};

table("git add", ADDS);
table("git push", PUSHES);
table("rm", DELETIONS);
table("scripts with a syntax error", BROKEN);

describe("a command is judged the same inside every wrapper", () => {
  test.each(WRAPPINGS)("%s", (wrapping) => {
    const judge = (words: readonly string[]): string | null =>
      verdictOf(wrapIn(wrapping, words.map(quoteWord)));
    expect(judge(["rm", "-rf", "/"])).toBe(CRITICAL_RM);
    expect(judge(["git", "push", "-f"])).toBe(FORCE_PUSH);
    expect(judge(["git", "add", "."])).toBe(BLIND_ADD);
    expect(judge(["rm", "-rf", "build"])).toBeNull();
    expect(judge(["git", "push", "origin"])).toBeNull();
  });
});

test("the first refusal in a script is the one that is told", () => {
  expect(verdictOf("git push -f; rm -rf /")).toBe(FORCE_PUSH);
  expect(verdictOf("rm -rf /; git push -f")).toBe(CRITICAL_RM);
});

test("the corpus has twins: at least 150 rows, and every kind of refusal beside allowed rows", () => {
  const all = [...ADDS, ...PUSHES, ...DELETIONS, ...BROKEN];
  expect(all.length).toBeGreaterThanOrEqual(150);
  expect(new Set(all.map(({ command }) => command)).size).toBe(all.length);
  for (const rows of [ADDS, PUSHES, DELETIONS, BROKEN]) {
    expect(rows.some(({ verdict }) => verdict === "allow")).toBe(true);
  }
});

test.each(UNREAD)("known to be missed, and asked about in safe mode: $command", ({ command, verdict }) => {
  expect(verdictOf(command)).toBeNull();
  if (verdict !== "add") expect(categoriesOf(command, parse)).not.toEqual([]);
});
