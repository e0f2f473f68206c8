import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { occurrences } from "../../src/text/occurrences.ts";

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
    ["a".repeat(1_000_000), `${"a".repeat(60_000)}b`],
    ["ab".repeat(500_000), `${"ab".repeat(15_000)}c${"ab".repeat(15_000)}`],
  ])("take linear time on repetitive text", (text, part) => {
    const started = performance.now();
    expect(occurrences(text, part, ALL)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
