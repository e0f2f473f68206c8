/** What of a long thread is told: never more than there is room for, never without what it is about. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { newestOf } from "../../../adapters/text/newest.ts";

it("the first, what is wanted and the newest, in their order, as many as fit", () => {
  fc.assert(
    fc.property(fc.nat(60), fc.integer({ min: 2, max: 40 }), fc.nat(60), (size, limit, wanted) => {
      const all = Array.from({ length: size }, (_, index) => index);
      const kept = newestOf(all, limit, (one) => one === wanted);
      expect(kept).toHaveLength(Math.min(size, limit));
      expect(kept).toEqual(kept.toSorted((a, b) => a - b));
      if (size > 0) expect(kept[0]).toBe(0);
      if (wanted < size) expect(kept).toContain(wanted);
      const left = all.filter((one) => !kept.includes(one));
      const newest = kept.filter((one) => one !== 0 && one !== wanted);
      expect(Math.min(...newest)).toBeGreaterThan(Math.max(-1, ...left));
    }),
    { numRuns: 200 },
  );
});
