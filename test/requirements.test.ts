/** Every row of the two smaller source systems (requirements.md 4c and 4d) has a test that names it. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** TUL-007 and Phase 5. */
const ROWS = Array.from({ length: 117 - 82 + 1 }, (_, index) => 82 + index);

const NAMED = /\brows? (\d+(?:(?:, (?:row )?| and |[-–])\d+)*)/g;

/** `row 84`, `rows 82, 83 and 85`, `rows 87–93`. */
const rowsNamed = (text: string): readonly number[] =>
  [...text.matchAll(NAMED)].flatMap(([, list = ""]) =>
    list.split(/, (?:row )?| and /).flatMap((part) => {
      const [first = 0, last = first] = part.split(/[-–]/).map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    }),
  );

/** Names of tests alone: what a comment says proves nothing. */
const namesIn = (source: string): string =>
  source
    .split("\n")
    .filter((line) => /\b(?:it|describe)(?:\.each)?\(|^\s*\]\)\("|^\s*\[?"(?:row|rows) \d/.test(line))
    .join("\n");

describe("the rows of TUL-007 and Phase 5", () => {
  it("are named in the ways that the search knows", () => {
    expect(rowsNamed("row 84: x, and rows 87–89, 91 and row 93, D30")).toEqual([84, 87, 88, 89, 91, 93]);
    expect(namesIn('// row 84\nit("row 85: y", …)\n')).not.toContain("84");
  });

  it("each have a test that names it", () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".test.ts") && file !== "requirements.test.ts",
    );
    const named = new Set(
      files.flatMap((file) => rowsNamed(namesIn(readFileSync(join(import.meta.dirname, file), "utf8")))),
    );
    expect(ROWS.filter((row) => !named.has(row))).toEqual([]);
  });
});
