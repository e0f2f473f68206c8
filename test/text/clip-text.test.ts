/** A cut text fits, says that it was cut, and holds whole characters. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { clipCodePoints, clipText } from "../../src/text/clip-text.ts";

const text = fc.string({ unit: fc.constantFrom("a", "é", "\ud83d\ude00"), maxLength: 40 });

it("is whole if it fits, and else its beginning with a sign that more follows", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 60 }), (all, most) => {
      const cut = clipText(all, most);
      expect(cut.length).toBeLessThanOrEqual(most);
      expect(cut.isWellFormed()).toBe(true);
      if (all.length <= most) expect(cut).toBe(all);
      else expect(all.startsWith(cut.slice(0, -1)) && cut.endsWith("…")).toBe(true);
    }),
  );
});

it("counts code points where the limit is one of characters", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 60 }), (all, most) => {
      const cut = clipCodePoints(all, most);
      expect(Array.from(cut).length).toBeLessThanOrEqual(most);
      expect(cut.isWellFormed()).toBe(true);
      if (Array.from(all).length <= most) expect(cut).toBe(all);
      else expect(all.startsWith(cut.slice(0, -1)) && cut.endsWith("…")).toBe(true);
    }),
  );
});
