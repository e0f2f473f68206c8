/**
 * A wait that a notice cuts short. One that comes while nobody waits ends the next wait at once; those that come one upon
 * the other count as one.
 */

import { setTimeout as pause } from "node:timers/promises";

export type Ring = ReturnType<typeof createWakeSignal>;

/** Milliseconds after a notice in which others may come. */
const GATHERED = 50;

export const createWakeSignal = () => {
  let rung = Promise.withResolvers<void>();
  return {
    ring: (): void => rung.resolve(),
    wait: async (longest: number): Promise<void> => {
      const longer = new AbortController();
      const isOver = pause(longest, false, { signal: longer.signal }).catch(() => false);
      if (await Promise.race([rung.promise.then(() => true), isOver])) await pause(GATHERED);
      longer.abort();
      rung = Promise.withResolvers();
    },
  };
};
