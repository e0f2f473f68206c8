/**
 * Many commands asked for at once begin a few at a time: more at once are done no sooner, and the host would wait for
 * the processor behind all of them. A command counts until it has ended or is no longer young, so that one which takes
 * its time holds up nobody.
 */

import { availableParallelism } from "node:os";

/** Enough to keep every processor busy while others wait for a process to start or to be reaped. */
const YOUNG_AT_ONCE = 3 * availableParallelism();
const YOUNG_MS = 25;

/**
 * Waits for a turn, in the order of asking; at once where there is room. What it answers is to be called when the
 * command has ended, and may be called again. Null when `signal` came first: there was no turn.
 */
type Turn = (signal: AbortSignal | null) => Promise<(() => void) | null>;

export const createPace = (atOnce = YOUNG_AT_ONCE, youngMs = YOUNG_MS): Turn => {
  let young = 0;
  const waiting = new Set<() => void>();

  const proceed = (): void => {
    for (const begin of waiting) {
      if (young >= atOnce) return;
      waiting.delete(begin);
      begin();
    }
  };

  const begun = (): (() => void) => {
    young++;
    let counts = true;
    const leave = (): void => {
      if (!counts) return;
      counts = false;
      clearTimeout(timer);
      young--;
      proceed();
    };
    const timer = setTimeout(leave, youngMs);
    return leave;
  };

  return (signal) => {
    if (signal?.aborted === true) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<(() => void) | null>();
    const begin = (): void => {
      signal?.removeEventListener("abort", giveUp);
      resolve(begun());
    };
    const giveUp = (): void => {
      waiting.delete(begin);
      resolve(null);
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    waiting.add(begin);
    proceed();
    return promise;
  };
};
