/** Markdown that breaks readers: generated, mutated, and thousands deep. */

import fc from "fast-check";
import { TEXTS } from "../linear/texts.ts";
import { hostile } from "./text/hostile.ts";
import { documents, texts } from "./text/markdown.ts";

/** Documents with a piece taken out, doubled, or repeated a few hundred times. */
const mutated = fc
  .tuple(fc.oneof(documents, texts, hostile), fc.nat(), fc.nat(40), fc.constantFrom(0, 2, 300))
  .map(([text, from, length, times]) => {
    const at = from % (text.length + 1);
    return text.slice(0, at) + text.slice(at, at + length).repeat(times) + text.slice(at + length);
  });
const made = fc.constantFrom(...TEXTS).chain(({ of }) => fc.constantFrom(200, 5_000).map(of));
export const anyText = fc.oneof(
  mutated,
  mutated,
  fc.tuple(made, mutated, made).map((parts) => parts.join("\n")),
);

export const POISONS: readonly (readonly [string, string])[] = [
  ["quotes in quotes", ">".repeat(4_000)],
  ["items in items", "- ".repeat(4_000)],
  ["labels in labels", `${"[".repeat(4_000)}a${"](x)".repeat(4_000)}`],
  ["emphasis in emphasis", "*a **b ".repeat(4_000)],
  ["brackets in brackets", `${"(".repeat(4_000)}${")".repeat(4_000)}`],
  ["tags in tags", `${"<a>".repeat(4_000)}${"</a>".repeat(4_000)}`],
  ["a table in quotes", `${">".repeat(3_700)} a | b\n-|-\n1 | 2`],
  ["a wide table", `${"a|".repeat(4_000)}a\n${"-|".repeat(4_000)}-\n${"|\n".repeat(4_000)}`],
];
