import { expect, test } from "vitest";
import { CATEGORIES } from "../../../src/machine/vocabulary.ts";
import { classify } from "../../../src/shell-risk/classify.ts";
import { DANGER_CATEGORIES } from "../../../src/shell-risk/danger/danger.ts";
import { factsOf } from "../../../src/shell-risk/danger/facts.ts";
import { parse } from "../../../src/shell-risk/shell/shell.ts";
import { dangerWords } from "../../../src/tools/bash/danger-words.ts";

const linesOf = (command: string): readonly string[] =>
  classify({ judge: "script", input: { command } }, factsOf("/work/repo", null), parse)
    .dangers.map(dangerWords)
    .flatMap(({ what, changes }) => [what, ...changes]);

test("the categories of the reader are those that people grant", () => {
  expect(DANGER_CATEGORIES.toSorted()).toEqual(CATEGORIES.toSorted());
});

test("row 116: a line is bounded, and free of characters that mislead a terminal or a page", () => {
  const lines = linesOf(`rm '${"\u001b[31m\u202e😀".repeat(500)}'`);
  expect(lines.length).toBe(2);
  for (const line of lines) {
    expect(line.length).toBeLessThanOrEqual(200);
    expect(line.isWellFormed()).toBe(true);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
});

test("a line of plain characters stays as it is", () => {
  expect(linesOf("rm notes.txt")).toEqual(["rm notes.txt", "deletes or replaces notes.txt"]);
});
