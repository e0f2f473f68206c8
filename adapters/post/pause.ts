/** A moment in which nothing is asked of a platform. */

import type { Millis } from "../../src/machine/id.ts";
import type { Clock } from "../../src/ports/host.ts";

export const pause = (clock: Pick<Clock, "after">, wait: Millis): Promise<void> =>
  new Promise((resume) => {
    clock.after(Math.max(0, wait), resume);
  });
