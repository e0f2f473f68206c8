/**
 * A wait that a notification ends early. A notification without a waiter ends the next wait immediately; several notifications
 * in quick succession count as one.
 */

import { setTimeout as pause } from "node:timers/promises";

export type Ring = ReturnType<typeof createWakeSignal>;

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
