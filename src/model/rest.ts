/**
 * Rests between reads of a stream. Each read costs about half a millisecond, many times the cost of its text, so text that nobody
 * sees yet is left in the connection and read at once.
 */

import type { Millis } from "../machine/id.ts";
import { type Clock, pause } from "../ports/host.ts";

/** The end of an answer is noticed at most this much later. */
const LONGEST: Millis = 100;
/** Newer text is read this long before people can see it. */
const EARLY: Millis = 25;
/** Rests below this time save nothing. */
const SHORTEST: Millis = 25;
/** Text that gathered during a rest arrives within this time. */
const BURST: Millis = 5;

/** Called after each text. Returns null if the next text must be read without a rest. */
export const createReadingRest = (
  clock: Pick<Clock, "now" | "after">,
  signal: AbortSignal,
  unseenFor: () => Millis,
): (() => Promise<void> | null) => {
  let ended = clock.now();

  const rest = async (time: Millis): Promise<void> => {
    await pause(clock, time, signal);
    ended = clock.now();
  };

  return () => {
    if (clock.now() - ended < BURST) return null;
    const time = Math.min(LONGEST, unseenFor() - EARLY);
    return time < SHORTEST || signal.aborted ? null : rest(time);
  };
};
