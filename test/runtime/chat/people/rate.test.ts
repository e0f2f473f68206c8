/** Turns of people who may not drive: so many within any hour. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { createRate } from "../../../../src/runtime/chat/people/rate.ts";

const HOUR = 3_600_000;

it("nobody who waits as told begins more than the most within any hour, and everybody may go on afterwards", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(HOUR), { maxLength: 40 }), (most, pauses) => {
      let now = 1_000;
      const rate = createRate({ now: () => now }, most);
      const begun: number[] = [];
      for (const pause of pauses) {
        now += pause;
        const wait = rate.wait("bob");
        expect(rate.wait("alice")).toBe(0);
        if (wait > 0) {
          expect(begun.filter((at) => at > now - HOUR)).toHaveLength(most);
          continue;
        }
        rate.took("bob");
        begun.push(now);
        expect(begun.filter((at) => at > now - HOUR).length).toBeLessThanOrEqual(most);
      }
      now += rate.wait("bob");
      expect(rate.wait("bob")).toBe(0);
    }),
  );
});
