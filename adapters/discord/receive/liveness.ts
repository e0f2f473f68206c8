/**
 * Detects shards without traffic (40.B). The library may wait forever for a dead connection, so a connection is replaced after
 * 60 seconds without a dispatch or an acknowledged heartbeat. A shard that waits to start a session counts as alive. Before the
 * session of a shard starts, only dispatches count.
 */

import type { Millis } from "../../../src/machine/id.ts";
import type { Clock } from "../../../src/ports/host.ts";

const SILENCE: Millis = 60_000;
const EVERY: Millis = 10_000;

export type Liveness = ReturnType<typeof createLiveness>;

/**
 * The library's heartbeats use real time, so their absence is measured in real time, independent of the
 * host's clock.
 */
const realTime: Clock = {
  now: () => performance.now(),
  after: (delay, fire) => {
    const timer = setTimeout(fire, delay).unref();
    return () => clearTimeout(timer);
  },
};

export const createLiveness = (dead: () => void, clock = realTime) => {
  const heard = new Map<number, Millis>();
  /** Number of shards that wait to start a session. */
  let waiting = 0;
  let cancel: (() => void) | null = null;

  const look = (): void => {
    const now = clock.now();
    const isSilent = waiting === 0 && [...heard.values()].some((at) => now - at >= SILENCE);
    cancel = clock.after(EVERY, look);
    if (isSilent) dead();
  };

  return {
    /** `shards`: number of shards of the new connection. */
    begin: (shards: number): void => {
      heard.clear();
      waiting = 0;
      for (let shard = 0; shard < shards; shard += 1) heard.set(shard, clock.now());
      cancel?.();
      cancel = clock.after(EVERY, look);
    },
    sign: (shard: number): void => void heard.set(shard, clock.now()),
    /** Settles like `wait`. */
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
