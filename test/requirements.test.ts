/**
 * Every row of the checklist (docs/design/sources.md) has an entry that points at the tests which assert it, and
 * says for each which change of the source turned it red (`test/requirements/*.ts`).
 */

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { problems, type Tree } from "./requirements/check.ts";
import type { Row } from "./requirements/row.ts";
import { rows } from "./requirements/rows.ts";
import { type Title, titlesIn } from "./requirements/titles.ts";

const ROOT = join(import.meta.dirname, "..");

const numbered = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

/** 4a to 4e. */
const WANTED = [
  ...numbered(1, 79),
  ...Array.from("abcdefghij", (letter) => `80${letter}`),
  ...Array.from("abcd", (letter) => `81${letter}`),
  ...numbered(82, 132),
];

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

const read = new Map<string, readonly Title[] | null>();

const disk: Tree = {
  titles: (file) => {
    const known = read.get(file);
    if (known !== undefined) return known;
    const path = join(ROOT, "test", file);
    const titles = isFile(path) ? titlesIn(readFileSync(path, "utf8")) : null;
    read.set(file, titles);
    return titles;
  },
  has: (source) => /^(src|adapters|sandbox)\//.test(source) && isFile(join(ROOT, source)),
};

describe("the rows of the checklist", () => {
  it("each have tests that assert them, and what turned those red", () => {
    expect(problems(rows, WANTED, disk)).toEqual([]);
  });
});

describe("the check of the rows", () => {
  const title = { name: "a thing > works", runs: true };
  const tree: Tree = {
    titles: (file) =>
      file === "a.test.ts"
        ? [
            title,
            { name: "twice", runs: true },
            { name: "twice", runs: true },
            { name: "rests", runs: false },
          ]
        : null,
    has: (source) => source === "src/a.ts",
  };
  const test = { file: "a.test.ts", name: title.name, without: { file: "src/a.ts", change: "it is gone" } };
  const row: Row = { id: "1", source: "A-1", demand: "It works.", tests: [test] };
  const found = (...rows: readonly Row[]) => problems(rows, ["1"], tree);

  it("finds nothing where an entry is whole", () => {
    expect(found(row)).toEqual([]);
  });

  it.each<[string, readonly Row[], string]>([
    ["a row is missing", [], "row 1 has no entry"],
    ["a row is in twice", [row, row], "row 1 has two entries"],
    ["a row is unknown", [row, { ...row, id: "80k" }], "row 80k is not in the checklist"],
    ["a row demands nothing", [{ ...row, demand: "" }], "row 1: it does not say what it demands"],
    ["nothing asserts it", [{ ...row, tests: [] }], "row 1: no test asserts it"],
    [
      "its file is gone",
      [{ ...row, tests: [{ ...test, file: "b.test.ts" }] }],
      "row 1: there is no file b.test.ts",
    ],
    [
      "its test has another name",
      [{ ...row, tests: [{ ...test, name: "works" }] }],
      'row 1: a.test.ts has no test "works"',
    ],
    [
      "its test is there twice",
      [{ ...row, tests: [{ ...test, name: "twice" }] }],
      'row 1: a.test.ts has several tests "twice"',
    ],
    [
      "its test is left out",
      [{ ...row, tests: [{ ...test, name: "rests" }] }],
      'row 1: "rests" in a.test.ts may be left out',
    ],
    [
      "the changed source is gone",
      [{ ...row, tests: [{ ...test, without: { ...test.without, file: "src/b.ts" } }] }],
      "row 1: there is no source src/b.ts",
    ],
    [
      "the change is not described",
      [{ ...row, tests: [{ ...test, without: { ...test.without, change: "" } }] }],
      "row 1: what turned a.test.ts red is not described",
    ],
  ])("tells where %s", (_, rows, problem) => {
    expect(found(...rows)).toEqual([problem]);
  });
});

describe("the tests of a file", () => {
  const source = String.raw`
    // it("of a comment", () => {});
    const law = (name: string, holds: () => void): void => it(name, holds);
    describe("a group", () => {
      it("stands", async () => {});
      it.each([["it('in a table')"]])("has %s", (name) => { expect("it('in a text', () => {})").toBe(name); });
      describe.each${"`a|${1}`"}("of $a", () => { test.for([1])("goes %i", () => {}); });
      law("holds", () => {});
      describe("below", { timeout: 1 }, () => { if (root) { it(${"`is ${kind}`"}, () => {}); } });
      describe.skipIf(root)("skipped", () => { it("rests", () => {}); });
      it.skip("rests", () => {});
      it.todo("comes");
      it("may rest", ({ skip }) => { skip(); });
    });
  `;

  it("are read from its syntax: groups, tables, functions that make one, and what may be left out", () => {
    expect(titlesIn(source)).toEqual([
      { name: "a group > stands", runs: true },
      { name: "a group > has %s", runs: true },
      { name: "a group > of $a > goes %i", runs: true },
      { name: "a group > holds", runs: true },
      { name: "a group > below > is %s", runs: true },
      { name: "a group > skipped > rests", runs: false },
      { name: "a group > rests", runs: false },
      { name: "a group > comes", runs: false },
      { name: "a group > may rest", runs: false },
    ]);
  });
});
