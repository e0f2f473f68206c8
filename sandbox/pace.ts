/**
 * Many commands asked for at once begin a few at a time: more at once are done no sooner, and the host would wait for
 * the processor behind all of them. A command counts until it has ended or is no longer young, so that one which takes
 * its time holds up nobody.
 */

import { availableParallelism } from "node:os";
import { createLanes } from "./lanes.ts";

/** Enough to keep every processor busy while others wait for a process to start or to be reaped. */
const YOUNG_AT_ONCE = 3 * availableParallelism();
const YOUNG_MS = 25;

/**
 * Waits for a turn, in the order of asking; at once where there is room. What it answers is to be called when the
 * command has ended, and may be called again. Null when `signal` came first: there was no turn.
 */
type Turn = (signal: AbortSignal | null) => Promise<(() => void) | null>;

export const createLaunchPace = (atOnce = YOUNG_AT_ONCE, youngMs = YOUNG_MS): Turn => {
  const lanes = createLanes(atOnce);
  return async (signal) => {
    const lane = await lanes.take([], signal);
    if (lane === null) return null;
    const leave = (): void => {
      clearTimeout(timer);
      lane.release();
    };
    const timer = setTimeout(leave, youngMs);
    return leave;
  };
};
