import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { occurrences } from "../../src/text/occurrences.ts";
import { growthFault } from "../linear/growth.ts";

const ALL = Number.POSITIVE_INFINITY;
const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 40 });

describe("occurrences", () => {
  it("are exactly the places where the text stands", () => {
    fc.assert(
      fc.property(
        letters,
        fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 5 }),
        (text, part) => {
          const places = text.split("").flatMap((_, at) => (text.startsWith(part, at) ? [at] : []));
          expect(occurrences(text, part, ALL)).toEqual(places);
          expect(occurrences(text, part, 1)).toEqual(places.slice(0, 1));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("are all found where the text is everywhere", () => {
    const places = Array.from({ length: 5000 - 40 + 1 }, (_, at) => at);
    expect(occurrences("a".repeat(5000), "a".repeat(40), ALL)).toEqual(places);
    expect(occurrences(`${"a".repeat(5000)}b`, `${"a".repeat(40)}b`, ALL)).toEqual([4960]);
  });

  it("of the empty text are none", () => {
    expect(occurrences("abc", "", ALL)).toEqual([]);
  });

  it.each([
    ["a", (half: string) => `${half}${half}b`],
    ["ab", (half: string) => `${half}c${half}`],
  ])("take linear time on repetitive text of %s", (piece, partOf) => {
    const read = (text: string): void =>
      expect(occurrences(text, partOf(text.slice(0, text.length / 50)), ALL)).toEqual([]);
    expect(growthFault(read, piece, [50_000, 500_000])).toBeNull();
  });
});
