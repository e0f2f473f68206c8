/** A comment may stand on a line only if the line is in a hunk on its side, and on several lines only within one hunk. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeInDiff, rowsOfPatch } from "../../../../src/features/forge/review/diff-lines.ts";

const PATCH = [
  "@@ -1,3 +1,4 @@",
  " first",
  "-old second",
  "+new second",
  "+added third",
  " last",
  "\\ No newline at end of file",
  "@@ -20 +21,2 @@ function f() {",
  "-@@ -1,9 +1,9 @@",
  "+@@ -1,9 +1,9 @@",
  "+++ not a header",
].join("\n");
const file = { path: "a.ts", status: "modified", added: 4, removed: 2, patch: PATCH };

const place = (line: number, side: "new" | "old", startLine?: number) =>
  placeInDiff([file], { path: "a.ts", line, side, startLine });

describe("a line of a diff", () => {
  it.each([
    [1, "new", "first"],
    [1, "old", "first"],
    [2, "old", "old second"],
    [3, "new", "added third"],
    [4, "new", "last"],
    [3, "old", "last"],
    [22, "new", "++ not a header"],
    [20, "old", "@@ -1,9 +1,9 @@"],
  ] as const)("%i of the %s side is there, with its text", (line, side, text) => {
    expect(place(line, side)).toMatchObject({ kind: "placed", last: { [side]: line, text } });
  });

  it.each([
    [5, "new", "1-4, 21-22"],
    [4, "old", "1-3, 20"],
    [23, "new", "1-4, 21-22"],
    [0, "new", "1-4, 21-22"],
  ] as const)("%i of the %s side is not, and the refusal names the lines that are", (line, side, ranges) => {
    expect(place(line, side)).toEqual({
      kind: "refused",
      why: `The diff of a.ts has no line ${line} in one hunk of its ${side} side, which has ${ranges}.`,
    });
  });

  it("several lines are within one hunk, the first before the last", () => {
    expect(place(4, "new", 2)).toMatchObject({ kind: "placed", first: { new: 2 }, last: { new: 4 } });
    expect(place(22, "new", 4).kind).toBe("refused");
    expect(place(2, "new", 4).kind).toBe("refused");
  });

  it("a file without a diff, or that is not changed, has none", () => {
    expect(placeInDiff([{ ...file, patch: null }], { path: "a.ts", line: 1, side: "new" }).kind).toBe(
      "refused",
    );
    expect(placeInDiff([file], { path: "b.ts", line: 1, side: "new" }).kind).toBe("refused");
  });
});

interface Edit {
  readonly kind: "keep" | "add" | "remove";
  readonly text: string;
}

/** Texts that look like parts of a diff. */
const text = fc.constantFrom(
  "",
  "x",
  "@@ -1,3 +1,3 @@",
  "+",
  "-",
  "\\ No newline",
  "--- a/a.ts",
  "+++ b/a.ts",
  " ",
);
const edit: fc.Arbitrary<Edit> = fc.record({ kind: fc.constantFrom("keep", "keep", "add", "remove"), text });
const hunks = fc.array(
  fc.record({
    skipped: fc.integer({ min: 1, max: 40 }),
    edits: fc.array(edit, { minLength: 1, maxLength: 8 }),
  }),
  { maxLength: 4 },
);

/** Writes a patch, and the line numbers of its rows, without the reader under test. */
const written = (given: readonly { readonly skipped: number; readonly edits: readonly Edit[] }[]) => {
  const lines: string[] = [];
  const known = { old: new Map<number, [string, number]>(), new: new Map<number, [string, number]>() };
  let [old, now] = [1, 1];
  for (const [hunk, { skipped, edits }] of given.entries()) {
    [old, now] = [old + skipped, now + skipped];
    const olds = edits.filter(({ kind }) => kind !== "add").length;
    const news = edits.filter(({ kind }) => kind !== "remove").length;
    lines.push(`@@ -${old}${olds === 1 ? "" : `,${olds}`} +${now}${news === 1 ? "" : `,${news}`} @@`);
    for (const one of edits) {
      lines.push(`${{ keep: " ", add: "+", remove: "-" }[one.kind]}${one.text}`);
      if (one.kind !== "add") known.old.set(old++, [one.text, hunk]);
      if (one.kind !== "remove") known.new.set(now++, [one.text, hunk]);
    }
  }
  return { patch: lines.join("\n"), known };
};

describe("over generated diffs (property)", () => {
  it("a line is accepted exactly if a hunk has it on that side, and with its own text", () => {
    fc.assert(
      fc.property(
        hunks,
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom("new", "old"),
        (given, line, before, side) => {
          const { patch, known } = written(given);
          const lines = known[side];
          const startLine = line - before;
          const found = placeInDiff([{ ...file, patch }], { path: "a.ts", line, startLine, side });
          const [last, first] = [lines.get(line), lines.get(startLine)];
          const isThere = last !== undefined && first !== undefined && first[1] === last[1];
          expect(found.kind).toBe(isThere ? "placed" : "refused");
          if (found.kind === "placed")
            expect([found.first.text, found.last.text]).toEqual([first?.[0], last?.[0]]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("every line that a hunk has is accepted, and no cut patch has a line that the whole one lacks", () => {
    fc.assert(
      fc.property(hunks, fc.nat(200), (given, cut) => {
        const { patch, known } = written(given);
        for (const side of ["old", "new"] as const)
          for (const [line, [content]] of known[side])
            expect(placeInDiff([{ ...file, patch }], { path: "a.ts", line, side })).toMatchObject({
              kind: "placed",
              last: { text: content },
            });
        for (const row of rowsOfPatch(patch.slice(0, cut)))
          for (const side of ["old", "new"] as const) {
            const line = row[side];
            if (line !== null) expect(known[side].has(line)).toBe(true);
          }
      }),
    );
  });
});
