/** Splitting takes time in proportion to the text, whatever the text. */

import { describe, expect, it } from "vitest";
import { neutralize } from "../../../adapters/text/neutral.ts";
import { splitPieces } from "../../../adapters/text/split.ts";
import { quoteUntrusted } from "../../../src/text/quotes.ts";
import { growthFault } from "../../linear/growth.ts";
import { joinPieces } from "./markdown.ts";

/** Characters; the law of the parts is checked at each. */
const SIZES = [10_000, 100_000] as const;

type Made = string | ((size: number) => string);

const behind =
  (begin: string, piece: string, end = "") =>
  (size: number): string =>
    begin + piece.repeat(Math.ceil(size / piece.length)) + end;

const texts: Readonly<Record<string, Made>> = {
  prose: `${"Some words in a sentence, and more. ".repeat(10)}\n\n`,
  "one line": "word ",
  "no spaces": "x",
  backticks: "`",
  "backticks of every length": (size) =>
    Array.from({ length: Math.round(Math.sqrt(2 * size)) }, (_, length) => "`".repeat(length)).join(" "),
  "nested quotes": behind("", ">", "x"),
  "lines of nested quotes": `${">".repeat(1_000)}x\n`,
  "nested items": "- ",
  "deep lists": Array.from({ length: 40 }, (_, depth) => `${" ".repeat(depth)}- x\n`).join(""),
  "short lines": "ab\n",
  "blank lines": behind("```js\n", "\n", "x"),
  "blank runs": `x${"\n".repeat(5_000)}`,
  fences: "```\na\n```\n",
  "one fence": behind("```js\n", "code line here();\n"),
  "table rows": behind("| a | b |\n|---|---|\n", "| 1 | 2 |\n"),
  brackets: "[](",
  "open brackets": "[",
  tags: "<a ",
  escapes: "\\",
  emphasis: "** a ",
  families: "👩‍👩‍👧‍👦",
  flags: "🇩🇪",
  "one cluster": behind("a", "\u0301"),
  han: "漢字。",
};

describe("text is split whole, in time that grows with it", () => {
  const splits = [64, 2_000, 40_000].map((max) => (text: string): void => {
    expect(joinPieces(splitPieces(text, { units: "utf16", max })) === text).toBe(true);
  });
  it.each(Object.entries(texts))("%s", (_, made) => {
    expect(splits.flatMap((split) => growthFault(split, made, SIZES) ?? [])).toEqual([]);
  });
});

const hostile: Readonly<Record<string, Made>> = {
  ...texts,
  labels: "[[[[](x)",
  "nested labels": (size) => `${"[".repeat(size * 0.3)}x${"](x)".repeat(size * 0.17)}`,
  images: "![a](b)",
  addresses: "https://a.example ",
  schemes: "https://",
  "bracketed addresses": "https://a((((",
  "cut mentions": "<@",
  "cut links": "<https://x|",
  entities: "&#",
  "code in tables": "|`|`",
  joiners: "\u200d",
};

const guard = (text: string): void => {
  neutralize(text);
  quoteUntrusted({ author: text, text, at: 0 });
};

describe("text is made harmless and quoted in time that grows with it", () => {
  it.each(Object.entries(hostile))("%s", (_, made) => {
    expect(growthFault(guard, made, SIZES)).toBeNull();
  });
});
