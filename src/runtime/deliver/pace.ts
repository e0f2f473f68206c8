/** Time counts from the start of one call to the start of the next, so that a slow response adds no delay. */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { Limits } from "../../ports/surface.ts";

/** Number of throttled edits after which a message gets only its final content. */
const STRIKES = 3;
const EASING = 0.8;

export type Pace = ReturnType<typeof createPace>;

export const createPace = (
  clock: Pick<Clock, "after">,
  limits: Pick<Limits, "editEvery" | "editAtMost">,
  ready: () => void,
) => {
  const strikes = new Map<string, number>();
  const finalOnly = new Set<string>();
  let interval: Millis = limits.editEvery;
  let cancel: (() => void) | null = null;

  return {
    ready: (): boolean => cancel === null,
    /** `share`: minimum time, from the message's share of the edit budget. `slowness`: factor of the usual interval. */
    begun: (share: Millis, slowness = 1) => {
      cancel?.();
      cancel = clock.after(Math.max(interval * slowness, share), () => {
        cancel = null;
        ready();
      });
    },
    made: () => {
      interval = Math.max(limits.editEvery, interval * EASING);
    },
    throttled: (key: string) => {
      interval = Math.min(limits.editAtMost, interval * 2);
      const count = (strikes.get(key) ?? 0) + 1;
      strikes.set(key, count);
      if (count >= STRIKES) finalOnly.add(key);
    },
    finalOnly: finalOnly as ReadonlySet<string>,
    forget: (key: string) => {
      strikes.delete(key);
      finalOnly.delete(key);
    },
  };
};
