/**
 * Paces new sessions of shards. A bot has a thousand sessions a day and loses its token when they are used up
 * (hazard G3), and discord.js starts one every few seconds while the gateway refuses. Discord reports the
 * remaining number: with many, a session may start every five seconds; with fewer, shards wait longer. A
 * canceled wait costs nothing.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";

/** Discord's window, in which each remainder of the shard number may start one session. */
const WINDOW: Millis = 5_000;
const DAY: Millis = 86_400_000;
/** With this many sessions left, a day's outages can be survived at full pace. */
const PLENTY = 200;

/** Discord's last report on new sessions (`session_start_limit`). */
export interface SessionStarts {
  readonly remaining: number;
  /** Number of sessions for a whole day. */
  readonly total: number;
  /** Time until `remaining` is reset to `total`. */
  readonly resetAfter: Millis;
  readonly maxConcurrency: number;
}

export const createIdentifyPace = (clock: Clock, first: SessionStarts) => {
  let limit = first;
  let resetAt = clock.now() + limit.resetAfter;
  let remaining = limit.remaining;
  /** Time of the next permitted session, by remainder. */
  const free = new Map<number, Millis>();

  /**
   * The last hundred sessions are spread evenly over the time until the reset, and the hundred before them
   * increasingly so.
   */
  const spacing = (now: Millis): Millis => {
    if (remaining > PLENTY) return WINDOW;
    const even = (resetAt - now) / Math.max(1, remaining);
    return Math.max(WINDOW, even * Math.min(1, 2 - (2 * remaining) / PLENTY));
  };

  const began = (key: number): void => {
    const now = clock.now();
    if (now >= resetAt) {
      resetAt = now + DAY;
      remaining = limit.total;
    }
    remaining -= 1;
    free.set(key, now + spacing(now));
  };

  /**
   * Waits until the remainder is free and takes it. The loop is needed because another shard may have taken
   * it.
   */
  const take = async (key: number, signal: AbortSignal): Promise<void> => {
    for (;;) {
      if (signal.aborted) throw new Error(CLOSED);
      const left = (free.get(key) ?? 0) - clock.now();
      if (left <= 0) {
        began(key);
        return;
      }
      await pauseFor(clock, left, signal);
    }
  };

  return {
    /** Updates Discord's limits, which are read with each new connection. */
    told: (now: SessionStarts): void => {
      limit = now;
      resetAt = clock.now() + now.resetAfter;
      remaining = now.remaining;
    },
    /** Resolves when the shard may identify; rejects when the wait was canceled. */
    waitForIdentify: (shard: number, signal: AbortSignal): Promise<void> =>
      take(shard % limit.maxConcurrency, signal),
  };
};

const CLOSED = "the connection closed before the session was started";

const pauseFor = (clock: Clock, delay: Millis, signal: AbortSignal): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const give = (): void => {
    cancel();
    reject(new Error(CLOSED));
  };
  const cancel = clock.after(delay, () => {
    signal.removeEventListener("abort", give);
    resolve();
  });
  signal.addEventListener("abort", give, { once: true });
  return promise;
};
