/**
 * Starts many simultaneous commands a few at a time: more at once finish no sooner and would delay the host. A command counts
 * until it ends or is no longer young, so that a long command delays no other command.
 */

import { availableParallelism } from "node:os";
import { createLanes } from "./lanes.ts";

/** Enough to keep every processor busy while other commands wait for a process to start or to be reaped. */
const YOUNG_AT_ONCE = 3 * availableParallelism();
const YOUNG_MS = 25;

/**
 * Waits for a turn, in the order of the calls. The returned function must be called when the command has ended; further calls
 * have no effect. Null if `signal` was aborted first.
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
