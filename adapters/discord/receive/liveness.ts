/**
 * Whether a shard still gets something from Discord (40.B). The library may wait for ever for a connection that nothing comes from:
 * after 60 seconds without a dispatch or an acknowledged heartbeat the connection is made anew. A shard that waits for its turn to
 * start a session counts as alive. Before its session begins, dispatches alone count, not heartbeats.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";

const SILENCE: Millis = 60_000;
const EVERY: Millis = 10_000;

export type Liveness = ReturnType<typeof createLiveness>;

/** Heartbeats are the library's, in real time: so is their absence, whatever the host's clock says. */
const realTime: Clock = {
  now: () => performance.now(),
  after: (delay, fire) => {
    const timer = setTimeout(fire, delay).unref();
    return () => clearTimeout(timer);
  },
};

export const createLiveness = (dead: () => void, clock = realTime) => {
  const heard = new Map<number, Millis>();
  /** Shards that wait for their turn to start a session, as often as they do. */
  let waiting = 0;
  let cancel: (() => void) | null = null;

  const look = (): void => {
    const now = clock.now();
    const isSilent = waiting === 0 && [...heard.values()].some((at) => now - at >= SILENCE);
    cancel = clock.after(EVERY, look);
    if (isSilent) dead();
  };

  return {
    /** `shards`: of a connection that is made now. */
    begin: (shards: number): void => {
      heard.clear();
      waiting = 0;
      for (let shard = 0; shard < shards; shard += 1) heard.set(shard, clock.now());
      cancel?.();
      cancel = clock.after(EVERY, look);
    },
    sign: (shard: number): void => void heard.set(shard, clock.now()),
    /** Settles as the wait does. */
    during: async (shard: number, wait: Promise<void>): Promise<void> => {
      waiting += 1;
      try {
        await wait;
      } finally {
        waiting -= 1;
        heard.set(shard, clock.now());
      }
    },
    end: (): void => {
      cancel?.();
      cancel = null;
    },
  };
};
