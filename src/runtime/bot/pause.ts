/** Waiting that ends early when it is given up. */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";

export const pause = (clock: Pick<Clock, "after">, delay: Millis, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(delay, done);
    signal?.addEventListener("abort", done);
    if (signal?.aborted === true) done();
  });
