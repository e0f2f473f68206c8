/** Rendering is total: of any Markdown, generated or mutated, the page makes something, and quickly. */

import fc from "fast-check";
import { it } from "vitest";
import { anyText, POISONS } from "../../adapters/any-text.ts";
import { TEXTS } from "../../linear/texts.ts";
import { pageReader } from "./readers.ts";

const show = pageReader();

it("any text", () => {
  fc.assert(
    // A reader that throws fails the property; test/linear counts its time.
    fc.property(anyText, (text) => void show(text)),
    { numRuns: 150 },
  );
});

it.each(POISONS)("%s, thousands deep", (_, poison) => void show(`${poison}\n\nthe end`));

it("40,000 of any one character or pair", () => {
  for (const { of } of TEXTS.filter(({ name }) => name.length <= 6)) show(of(40_000));
});
