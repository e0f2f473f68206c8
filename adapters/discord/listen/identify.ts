/**
 * When a shard may start a new session. A bot has a thousand a day and loses its token when they are used up
 * (hazard G3), and discord.js starts one every few seconds for as long as the gateway turns it away. So each
 * session that follows another within a minute waits twice as long, up to ten minutes: at most 150 a day.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";

/** Discord's window: in it as many sessions may start as the gateway says, each of another remainder. */
const WINDOW: Millis = 5_000;
/** A session that lasted so long counts as a success. */
const SETTLED: Millis = 60_000;
const LONGEST: Millis = 600_000;

export const createIdentifyPace = (clock: Clock, maxConcurrency: number) => {
  /** When the next session may start, by remainder. */
  const free = new Map<number, Millis>();
  const shards = new Map<number, { readonly at: Millis; readonly delay: Millis }>();

  /** From when on, and what it costs the next one. */
  const reserve = (shard: number): Millis => {
    const now = clock.now();
    const last = shards.get(shard);
    const delay =
      last === undefined || now - last.at > SETTLED + last.delay
        ? 0
        : Math.min(LONGEST, Math.max(WINDOW, last.delay * 2));
    const key = shard % maxConcurrency;
    const at = Math.max(free.get(key) ?? now, (last?.at ?? now) + delay, now);
    shards.set(shard, { at, delay });
    free.set(key, at + WINDOW);
    return at - now;
  };

  return {
    /** Settles when the shard may identify; rejects when the wait was given up. */
    waitForIdentify: (shard: number, signal: AbortSignal): Promise<void> => {
      const wait = reserve(shard);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      if (wait === 0) return Promise.resolve();
      const cancel = clock.after(wait, resolve);
      signal.addEventListener(
        "abort",
        () => {
          cancel();
          reject(new Error("the connection closed before the session was started"));
        },
        { once: true },
      );
      return promise;
    },
  };
};
