/** A span stands where a change left it, and only where nothing in it was touched. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { readHunks, shiftOf } from "../../../../src/features/answers/citations/hunks.ts";

/** Old lines that stay (`null`), and hunks between them. */
const parts = fc.array(
  fc.oneof(
    fc.record({ stays: fc.integer({ min: 1, max: 4 }) }),
    fc
      .record({ count: fc.integer({ min: 0, max: 3 }), added: fc.integer({ min: 0, max: 3 }) })
      // Git shows no difference where there is none.
      .filter(({ count, added }) => count + added > 0),
  ),
  { maxLength: 12 },
);

it("is where its lines are, whole and next to each other; else it has changed", () => {
  fc.assert(
    fc.property(parts, fc.nat(30), fc.nat(5), (all, first, more) => {
      let at = 0;
      const now: (number | null)[] = [];
      const lines: string[] = ["diff --git a/0 b/0"];
      for (const part of all) {
        if ("stays" in part) for (let n = 0; n < part.stays; n += 1) now.push((at += 1));
        else {
          const { count, added } = part;
          lines.push(`@@ -${count === 0 ? at : at + 1},${count} +${now.length},${added} @@`);
          at += count;
          for (let n = 0; n < added; n += 1) now.push(null);
        }
      }
      const [from, to] = [1 + first, 1 + first + more];
      if (to > at) return;
      const place = now.indexOf(from);
      const isWhole =
        place !== -1 &&
        Array.from({ length: more + 1 }, (_, n) => now[place + n] === from + n).every(Boolean);
      const hunks = readHunks(lines.join("\n")).get(0) ?? [];
      const shift = shiftOf(hunks, from, to);
      expect(shift).toBe(isWhole ? place + 1 - from : null);
    }),
  );
});
