/** Texts to split and to make harmless: heavy in graphemes, heavy in marks, and whole documents as a model writes them. */

import fc from "fast-check";
import type { LengthLimit } from "../../../adapters/text/measure.ts";
import type { Split } from "../../../adapters/text/split.ts";

const CLUSTERS = [
  "a",
  "é",
  "漢",
  "。",
  "ก",
  "🙂",
  " ",
  "\n",
  "\\",
  "e\u0301",
  "👩‍👩‍👧‍👦",
  "👍🏽",
  "🇩🇪",
  "🇫🇷🇨🇭",
  "क्षि",
  "각",
  "\r\n",
  "\u0301",
  "\u200d",
  "\ud83d",
  "\udc00",
  "\u00a0",
  "𝒳",
  "a\u0300\u0301\u0302",
];

const MARKS = [
  "```",
  "```ts\n",
  "````",
  "~~~",
  "~~~~md\n",
  "`",
  "``",
  "**",
  "*",
  "_",
  "~~",
  "> ",
  ">",
  "- ",
  "* ",
  "1. ",
  "12) ",
  "   ",
  "    ",
  "\t",
  "| a | b |\n",
  "|---|---|\n",
  "| 1 | 2 |\n",
  "# ",
  "---\n",
  "\\",
  "\\`",
  "&amp;",
  "&#x41;",
  "[a b](https://x.example/y)",
  "![i](https://x.example/y.png)",
  "[",
  "](",
  "<https://x.example>",
  "<",
  "\n",
  "\n",
  "\n\n",
  "\n> ",
  "\n- ",
  "\n  ",
  "\n```\n",
  " word",
  " two words.",
  " A sentence ends here. ",
  "x".repeat(30),
  "const a = 1;\n",
];

export const graphemes = fc
  .array(fc.constantFrom(...CLUSTERS), { maxLength: 160 })
  .map((parts) => parts.join(""));

export const marks = fc.array(fc.constantFrom(...MARKS), { maxLength: 90 }).map((parts) => parts.join(""));

const DENSE = [
  "\\*",
  "\\`",
  "\\\\",
  "&amp;",
  "🏽",
  "👍",
  "x",
  "é",
  "e\u0301",
  "🇩🇪",
  "\u{e0100}",
  "漢",
  "1.",
  "-",
  "`",
];

const LOOSE = [" 🏽", "a\n", "**b", "** c\n", "`d\n", "` ", "e. "];

/** Nothing to cut at but characters. */
export const dense = fc
  .array(fc.constantFrom(...DENSE), { minLength: 30, maxLength: 160 })
  .map((parts) => parts.join(""));

/** The same of few kinds, so that each comes to stand where a piece is full. */
const monotone = fc
  .tuple(
    fc.subarray([...DENSE, ...LOOSE], { minLength: 1, maxLength: 3 }),
    fc.nat(40),
    fc.integer({ min: 30, max: 160 }),
  )
  .map(
    ([kinds, lead, count]) =>
      "x".repeat(lead) + Array.from({ length: count }, (_, at) => kinds[at % kinds.length]).join(""),
  );

export const texts = fc.oneof(
  { weight: 4, arbitrary: marks },
  { weight: 2, arbitrary: graphemes },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 400 }) },
  { weight: 2, arbitrary: dense },
  { weight: 2, arbitrary: monotone },
  { weight: 1, arbitrary: fc.tuple(marks, graphemes).map(([a, b]) => a + b) },
);

export const limits: fc.Arbitrary<LengthLimit> = fc.record({
  units: fc.constantFrom<LengthLimit["units"]>("utf16", "bytes"),
  max: fc.oneof(fc.integer({ min: 64, max: 90 }), fc.integer({ min: 64, max: 600 })),
});

/** The text that was split, byte for byte. */
export const joinPieces = ({ pieces, rest }: Split): string =>
  pieces.map(({ gap, text }) => gap + text).join("") + rest;

const words = fc
  .array(fc.constantFrom("alpha", "beta.", "gamma", "**bold words**", "`some code`", "delta,", "été", "🙂"), {
    minLength: 1,
    maxLength: 14,
  })
  .map((parts) => parts.join(" "));

const codeLines = fc.array(
  fc.constantFrom("const a = 1;", "", "  return b;", "x | y", "# not a title", "- no item"),
  {
    minLength: 1,
    maxLength: 14,
  },
);

const fenced = fc
  .tuple(fc.constantFrom("```", "````", "~~~"), fc.constantFrom("", "ts", "python"), codeLines)
  .map(([mark, language, lines]) => [`${mark}${language}`, "first();", ...lines, "last();", mark]);

const table = fc
  .integer({ min: 1, max: 12 })
  .map((rows) => [
    "| Name | Value |",
    "|------|-------|",
    ...Array.from({ length: rows }, (_, row) => `| r${row} | v |`),
  ]);

const paragraph = words.map((line) => [line]);

const indent = (lines: readonly string[], first: string, rest: string): readonly string[] =>
  lines.map((line, index) => (index === 0 ? first + line : line === "" ? "" : rest + line));

const { block } = fc.letrec<{ block: readonly string[] }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    paragraph,
    fenced,
    table,
    words.map((line) => [`## ${line.replaceAll("\n", " ")}`, "", "Below the title."]),
    fc
      .tuple(
        fc.integer({ min: 1, max: 98 }),
        fc.array(fc.tuple(words, tie("block")), { minLength: 1, maxLength: 4 }),
      )
      .map(([from, items]) =>
        items.flatMap(([line, inner], index) => {
          const marker = `${from + index}. `;
          return [...indent([line, "", ...inner], marker, " ".repeat(marker.length)), ""];
        }),
      ),
    fc
      .array(words, { minLength: 1, maxLength: 6 })
      .map((items) => items.flatMap((item, index) => [`- ${item}`, `  - inner ${index}`])),
    tie("block").map((lines) => lines.map((line) => (line === "" ? ">" : `> ${line}`))),
  ),
}));

/** Well-formed documents. */
export const documents = fc
  .array(block, { minLength: 1, maxLength: 7 })
  .map((blocks) => blocks.map((lines) => lines.join("\n")).join("\n\n"));
