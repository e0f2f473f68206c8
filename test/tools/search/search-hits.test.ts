import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rankFiles, readLines, type SearchLine, writeFiles } from "../../../src/tools/search/search-hits.ts";

const match = (path: string, number: number, text = "hit"): SearchLine => ({
  path,
  number,
  text,
  isMatch: true,
});
const context = (path: string, number: number, text = "near"): SearchLine => ({
  path,
  number,
  text,
  isMatch: false,
});

describe("reading ripgrep's output", () => {
  it("takes lines and leaves separators and messages out", () => {
    const output =
      "./src/a-1.ts\u00001-import\n./src/a-1.ts\u00002:x: 3-4 \u001b[31mred\n--\nb:c\u000010:y\nrg: a message\n";
    expect(readLines(output)).toEqual([
      context("src/a-1.ts", 1, "import"),
      match("src/a-1.ts", 2, "x: 3-4 red"),
      match("b:c", 10, "y"),
    ]);
  });
});

describe("ranking", () => {
  it("puts files with more terms first, then those with more matching lines", () => {
    const files = rankFiles([
      {
        term: "one",
        lines: [match("many", 1), match("many", 2), match("many", 3), match("both", 1), match("a", 1)],
      },
      { term: "two", lines: [context("many", 4), match("both", 9), match("b", 1)] },
    ]);
    expect(files.map(({ path, terms, hits }) => [path, terms, hits])).toEqual([
      ["both", 2, 2],
      ["many", 1, 3],
      ["a", 1, 1],
      ["b", 1, 1],
    ]);
  });

  it("39.B5 does not rank by a term whose matches were cut; alone it ranks", () => {
    const cut = { term: "one", isCut: true, lines: [match("often", 1), match("often", 2), match("rare", 1)] };
    const whole = { term: "two", lines: [match("rare", 5)] };
    expect(rankFiles([cut, whole]).map(({ path }) => path)).toEqual(["rare", "often"]);
    expect(rankFiles([cut]).map(({ path }) => path)).toEqual(["often", "rare"]);
  });

  it("counts a line that two terms match once, and knows a match from its context", () => {
    const [file] = rankFiles([
      { term: "one", lines: [match("f", 1), context("f", 2)] },
      { term: "two", lines: [match("f", 1), match("f", 2), context("f", 3)] },
      { term: "three", lines: [context("f", 1), match("f", 3)] },
    ]);
    expect(file).toMatchObject({ terms: 3, hits: 3 });
  });
});

const file = (path: string, lines: number, hits: readonly number[]) =>
  Array.from({ length: lines }, (_, index) => ({
    path,
    number: index + 1,
    text: `line ${index + 1}`,
    isMatch: hits.includes(index + 1),
  }));

describe("writing", () => {
  it("shows path, line and text, with separators where lines are left out", () => {
    const files = rankFiles([
      { term: "t", lines: [context("a", 1), match("a", 2), match("a", 9), match("b", 1)] },
    ]);
    expect(writeFiles(files, 10_000)).toBe("a-1-near\na:2:hit\n--\na:9:hit\n--\nb:1:hit");
  });

  it("narrows the context before it leaves anything out", () => {
    const files = rankFiles([{ term: "t", lines: file("a", 21, [11]) }]);
    expect(writeFiles(files, 1000).split("\n")).toHaveLength(21);
    expect(writeFiles(files, 120).split("\n")).toHaveLength(7);
    expect(writeFiles(files, 50).split("\n")).toHaveLength(3);
    expect(writeFiles(files, 20)).toBe("a:11:line 11");
  });

  it("leaves out the last files when nothing else helps, and says how many", () => {
    const lines = Array.from({ length: 100 }, (_, index) =>
      match(`file-${String(index).padStart(3, "0")}`, 1, "x".repeat(50)),
    );
    const text = writeFiles(rankFiles([{ term: "t", lines }]), 2000);
    expect(text.startsWith("file-000:1:xxx")).toBe(true);
    expect(text).toMatch(
      /\n--\n\[results truncated\] \d+ of 100 matching files are shown, at most 12 lines of each\. /,
    );
    expect(text.length).toBeLessThanOrEqual(2000);
  });

  it("never exceeds its budget", () => {
    const line = fc.record({
      path: fc.constantFrom("a", "b/c", "long/path/to/a/file.ts"),
      number: fc.integer({ min: 1, max: 60 }),
      text: fc.string({ maxLength: 80 }),
      isMatch: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 80 }), fc.integer({ min: 200, max: 4000 }), (lines, budget) => {
        expect(writeFiles(rankFiles([{ term: "t", lines }]), budget).length).toBeLessThanOrEqual(budget);
      }),
      { numRuns: 500 },
    );
  });
});
