/**
 * How often a progress message is changed: no faster than the platform likes or than all that grow
 * share what they may spend, slower after each throttled try, and not at all after the third (edit storms). It is counted from
 * call to call, so that a slow answer does not come on top of it.
 */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { Limits } from "../../ports/surface.ts";

/** Throttled edits of one message after which only its final content is brought. */
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
    /** A change is on its way, and the time to the next one runs, so many times as long; `share`: of what all that grow may spend. */
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
    /** Messages that were throttled too often. */
    finalOnly: finalOnly as ReadonlySet<string>,
    forget: (key: string) => {
      strikes.delete(key);
      finalOnly.delete(key);
    },
  };
};
