/**
 * Calls that wait where Discord asks to, for what is done once and has no newer version that would take its place:
 * reads, private answers, new threads. What shows progress is not made so: the deliverer keeps the pace itself.
 */

import type { Millis } from "../../../src/machine/id.ts";
import { type Clock, pause } from "../../../src/ports/host.ts";
import { troubleOf } from "./failure.ts";
import type { Calls } from "./api.ts";

/** All waits of one call together; a longer one is the caller's to deal with. */
const PATIENCE: Millis = 20_000;

export const createPatient = (calls: Calls, clock: Pick<Clock, "after">): Calls => ({
  close: () => calls.close(),
  call: async (...request) => {
    for (let left = PATIENCE; ; ) {
      try {
        return await calls.call(...request);
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble.kind !== "throttled" || trouble.retryAfter > left) throw error;
        left -= trouble.retryAfter;
        await pause(clock, trouble.retryAfter);
      }
    }
  },
});
