/**
 * A wait that a notice cuts short. One that comes while nobody waits ends the next wait at once; those that come one upon
 * the other count as one.
 */

import { setTimeout as pause } from "node:timers/promises";

export interface Ring {
  ring(): void;
  wait(longest: number): Promise<void>;
}

/** Milliseconds after a notice in which others may come. */
const GATHERED = 50;

export const createRing = (signal: AbortSignal): Ring => {
  let hasRung = false;
  let wake: (() => void) | null = null;
  const ring = (): void => {
    hasRung = true;
    wake?.();
  };
  signal.addEventListener("abort", ring, { once: true });
  return {
    ring,
    wait: async (longest) => {
      if (!hasRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, longest);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      if (hasRung && !signal.aborted) await pause(GATHERED);
      hasRung = false;
    },
  };
};
