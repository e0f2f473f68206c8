/** Splitting: the laws of `splitPieces`, over hostile texts and over whole documents. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitMarkdown, splitPieces } from "../../../adapters/text/split.ts";
import { type LengthLimit, measure } from "../../../adapters/text/measure.ts";
import { documents, joinPieces, limits, texts } from "./markdown.ts";
import { ofWhole } from "../../sample.ts";

const RUNS = ofWhole(1_000, 150);

/** Texts that once broke a law; each runs again before the random ones. */
const found: readonly (readonly [string, LengthLimit])[] = [];

const law = (name: string, holds: (text: string, limit: LengthLimit) => void): void =>
  it(name, () => {
    for (const [text, limit] of found) holds(text, limit);
    fc.assert(fc.property(fc.oneof(texts, documents), limits, holds), { numRuns: RUNS });
  });

describe("laws of splitting", () => {
  law("every piece fits the limit, with what was added to it", (text, limit) => {
    for (const piece of splitMarkdown(text, limit))
      expect(measure(piece, limit.units)).toBeLessThanOrEqual(limit.max);
  });

  law("the pieces without what was added are the text, byte for byte", (text, limit) => {
    const split = splitPieces(text, limit);
    expect(joinPieces(split)).toBe(text);
    const shown = split.pieces.map(({ opened, text: own, closed }) => opened + own + closed);
    expect(splitMarkdown(text, limit)).toEqual(shown);
  });

  law(
    "no piece shows a part of the text that no piece shows: gaps are blanks and ends of fences",
    (text, limit) => {
      const { pieces, rest } = splitPieces(text, limit);
      for (const [index, { gap }] of pieces.entries()) {
        const afterFence = pieces[index - 1]?.closed !== "" && index > 0;
        expect(gap).toMatch(afterFence ? /^[\s>`~]*$/ : /^\s*\\?\s*$/);
      }
      expect(rest).toMatch(pieces.at(-1)?.closed === "" || pieces.length === 0 ? /^\s*$/ : /^[\s>`~]*$/);
    },
  );

  law("no piece is empty, and white space is no piece", (text, limit) => {
    for (const { text: own } of splitPieces(text, limit).pieces) expect(own.trim()).not.toBe("");
    expect(splitMarkdown(text.replaceAll(/\S/g, " "), limit)).toEqual([]);
    expect(splitMarkdown(text, limit).length > 0).toBe(text.trim() !== "");
  });

  it("D22 the pieces of a text but the last begin every longer text", () => {
    const any = fc.oneof(texts, documents);
    fc.assert(
      fc.property(any, any, fc.nat(), limits, (one, two, at, limit) => {
        const whole = one + two;
        const short = whole.slice(0, at % (whole.length + 1));
        const done = splitPieces(short, limit).pieces.slice(0, -1);
        expect(splitPieces(whole, limit).pieces.slice(0, done.length)).toEqual(done);
      }),
      { numRuns: 2 * RUNS },
    );
  });

  it("D22 a text that arrives unit by unit never changes a finished piece", () => {
    fc.assert(
      fc.property(fc.oneof(texts, documents), limits, (given, limit) => {
        const text = given.slice(0, 600);
        let done: readonly string[] = [];
        for (let end = 0; end <= text.length; end += 1) {
          const pieces = splitMarkdown(text.slice(0, end), limit);
          expect(pieces.slice(0, done.length)).toEqual(done);
          done = pieces.slice(0, -1);
        }
      }),
      { numRuns: Math.ceil(RUNS / 10) },
    );
  });

  law("no cut goes through a code point, a cluster that fits or an escape", (text, limit) => {
    const segments = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text);
    const { pieces } = splitPieces(text, limit);
    let end = 0;
    for (const piece of pieces) {
      const start = end + piece.gap.length;
      end = start + piece.text.length;
      for (const at of [start, end]) {
        const cluster = segments.containing(at);
        if (cluster === undefined || cluster.index === at) continue;
        expect(measure(cluster.segment, limit.units)).toBeGreaterThan(limit.max / 8);
        expect(isPairAt(text, at)).toBe(false);
      }
      const followed = /[!-/:-@[-`{-~]/.test(text.slice(end, end + 1));
      if (piece.closed === "" && followed)
        expect(/\\*$/.exec(piece.text)?.[0].length ?? 0).toSatisfy((n: number) => n % 2 === 0);
    }
  });

  law("a line is cut only where a piece holds nothing but a part of it", (text, limit) => {
    const { pieces } = splitPieces(text, limit);
    let end = 0;
    for (const [index, { gap, text: own, opened, closed }] of pieces.entries()) {
      end += gap.length + own.length;
      const next = pieces[index + 1];
      if (next === undefined || next.gap.includes("\n")) continue;
      const line = own.slice(own.lastIndexOf("\n") + 1);
      const above = own.slice(0, own.length - line.length);
      if (/^[ \t>*+.)\d-]*(?:`{3,}|~{3,})[^\n]*\n\s*$/.test(above)) continue;
      expect(above.trim()).toBe("");
      const whole = text.slice(end - line.length).split("\n", 1)[0] ?? "";
      if (/[`~]/.test(whole)) continue;
      expect(measure(`${opened}${whole.trimEnd()}${closed}`, limit.units)).toBeGreaterThan(limit.max);
    }
  });

  law("a text that fits is one piece, as it is", (text, limit) => {
    const whole = text.trimEnd();
    const { max, units } = limit;
    const split = splitPieces(text, limit);
    fc.pre(split.pieces.length > 0);
    const closed = split.pieces.at(-1)?.closed ?? "";
    if (measure(whole + closed, units) > max) return;
    if (/[`~]{3}/.test(text)) return;
    expect(split.pieces.length).toBe(1);
    expect(whole.endsWith(split.pieces[0]?.text ?? "?")).toBe(true);
  });
});

const isPairAt = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
