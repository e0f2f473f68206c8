/** Pace of a growing message, from the calls that the platform still allows. */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";
import type { Budget, Limits } from "../../ports/surface.ts";

/** Times for which the remaining calls must last. The shortest prevents a pause, the longest keeps calls for later messages. */
const HORIZONS: readonly Millis[] = [5_000, 10_000, 20_000, 30_000];
/** A message that was not edited for this long and its turn may be edited, even if other messages need the calls. */
const LONGEST_SHARE: Millis = 5_000;
/** Number of throttled edits after which a message gets only its final content. */
const STRIKES = 3;

/** Most answers end within this time. A longer one uses calls that the window has left, so it changes a little more often. */
const LONG: Millis = 5_000;
const LONG_SHARE = 0.97;
/** Growing messages that may each change as often as one alone. */
const FEW = 3;

interface GrowthLoad {
  readonly budget: Pick<Budget, "every" | "within">;
  /** Time since the message began to grow. */
  readonly lasts: Millis;
  /** Growing messages on the budget. */
  readonly growing: number;
  /** Returns the calls that growing messages may make within a time from now. */
  readonly free: (within: Millis) => number;
  /** Recent refusals for rate. Each doubles the interval. */
  readonly refusals: number;
}

/** Returns the time between two edits of a message that gives all growing messages on the budget the same rate. */
export const growthInterval = (
  { budget: { every, within }, lasts, growing, free, refusals }: GrowthLoad,
  { editEvery, editAtMost, editShared = editEvery }: EditLimits,
): Millis => {
  const rate = Math.min(...HORIZONS.map((within) => Math.max(0, free(within)) / within));
  const fair = Math.min(growing / rate, growing * every + LONGEST_SHARE);
  const share = within !== undefined && lasts >= LONG ? LONG_SHARE : 1;
  const least = Math.max(editEvery, Math.min(editShared, (growing * editEvery) / FEW));
  return Math.min(editAtMost, Math.max(least, every * share, fair) * 2 ** refusals);
};

export type EditLimits = Pick<Limits, "editEvery" | "editAtMost" | "editShared">;

export type Pace = ReturnType<typeof createPace>;

/** Time counts from the start of one call to the start of the next, so that a slow response adds no delay. */
export const createPace = (clock: Pick<Clock, "now" | "after">, ready: () => void) => {
  const strikes = new Map<string, number>();
  const finalOnly = new Set<string>();
  /** By cause: the interval, and the platform's own wait. */
  const waits = new Map<"begun" | "told", { readonly until: Millis; readonly cancel: () => void }>();

  const wait = (cause: "begun" | "told", delay: Millis): void => {
    waits.get(cause)?.cancel();
    const cancel = clock.after(delay, () => {
      waits.delete(cause);
      if (waits.size === 0) ready();
    });
    waits.set(cause, { until: clock.now() + delay, cancel });
  };

  return {
    ready: (): boolean => waits.size === 0,
    /** Returns the time until the message may change again. */
    left: (): Millis => Math.max(0, ...[...waits.values()].map(({ until }) => until - clock.now())),
    begun: (interval: Millis) => wait("begun", interval),
    /** The platform returned the time after which the message may change again. */
    told: (delay: Millis) => wait("told", delay),
    throttled: (key: string) => {
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
