/** What readers see of a document in pieces: the same words in the same places as in one. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitMarkdown } from "../../../adapters/text/split.ts";
import { ofWhole } from "../../sample.ts";
import { documents } from "./markdown.ts";
import { outline } from "./outline.ts";

describe("a document in pieces", () => {
  it("shows each word in the same quotes, list items, numbers, code and tables, and each table with its header", () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 260, max: 700 }), (text, max) => {
        const whole = outline(text);
        const parts = splitMarkdown(text, { units: "utf16", max }).map(outline);
        expect(parts.flatMap(({ words }) => words)).toEqual(whole.words);
        const headers = new Set(parts.flatMap((part) => part.headers));
        expect(headers).toEqual(new Set(whole.headers));
      }),
      { numRuns: ofWhole(1_000, 150) },
    );
  });
});
