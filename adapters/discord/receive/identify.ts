/**
 * When a shard may start a new session. A bot has a thousand a day and loses its token when they are used up (hazard G3), and
 * discord.js starts one every few seconds for as long as the gateway turns it away. Discord says how many are left: with many, a
 * session may start every five seconds; the fewer, the longer each shard waits. A wait that is given up costs nothing.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";

/** Discord's window: in it as many sessions may start as the gateway says, each of another remainder. */
const WINDOW: Millis = 5_000;
const DAY: Millis = 86_400_000;
/** With so many left each day's outages are survived at full pace. */
const PLENTY = 200;

/** What Discord last said of new sessions (`session_start_limit`). */
export interface SessionStarts {
  readonly remaining: number;
  /** Sessions of a whole day. */
  readonly total: number;
  /** Until `remaining` is whole again. */
  readonly resetAfter: Millis;
  readonly maxConcurrency: number;
}

export const createIdentifyPace = (clock: Clock, first: SessionStarts) => {
  let limit = first;
  let resetAt = clock.now() + limit.resetAfter;
  let remaining = limit.remaining;
  /** When the next session may start, by remainder. */
  const free = new Map<number, Millis>();

  /** The last hundred is spread evenly over the time until the reset, the hundred before it ever more so. */
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

  /** Waits until the remainder is free and takes it: another shard of it may have begun meanwhile. */
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
    /** Discord's limits of new sessions, read with each new connection. */
    told: (now: SessionStarts): void => {
      limit = now;
      resetAt = clock.now() + now.resetAfter;
      remaining = now.remaining;
    },
    /** Settles when the shard may identify; rejects when the wait was given up. */
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
