/** The real clock. Timers count monotonic time, so a wall clock that jumps moves no deadline (D11). */

import type { Clock } from "../ports/host.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delay, fire) => {
    const timer = setTimeout(fire, delay);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
