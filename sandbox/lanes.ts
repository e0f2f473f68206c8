/** Limits concurrent work to a number of lanes, and to one piece of work for each key. */

interface Lanes {
  /** Resolves with a lane, in the order of the calls; null if `signal` was aborted first. */
  take(keys: readonly string[], signal: AbortSignal | null): Promise<LaneLease | null>;
}

export interface LaneLease {
  readonly number: number;
  /** Further calls have no effect. */
  release(): void;
}

interface Waiting {
  readonly keys: readonly string[];
  readonly grant: (lane: LaneLease) => void;
}

export const createLanes = (count: number): Lanes => {
  const free = Array.from({ length: count }, (_, number) => number);
  const busy = new Set<string>();
  const queue = new Set<Waiting>();

  const serve = (): void => {
    for (const waiting of queue) {
      if (waiting.keys.some((key) => busy.has(key))) continue;
      const number = free.pop();
      if (number === undefined) return;
      queue.delete(waiting);
      for (const key of waiting.keys) busy.add(key);
      let isHeld = true;
      waiting.grant({
        number,
        release: () => {
          if (!isHeld) return;
          isHeld = false;
          free.push(number);
          for (const key of waiting.keys) busy.delete(key);
          serve();
        },
      });
    }
  };

  return {
    take: (keys, signal) => {
      const { promise, resolve } = Promise.withResolvers<LaneLease | null>();
      if (signal?.aborted === true) return Promise.resolve(null);
      const giveUp = (): void => {
        queue.delete(waiting);
        resolve(null);
      };
      const waiting: Waiting = {
        keys,
        grant: (lane) => {
          signal?.removeEventListener("abort", giveUp);
          resolve(lane);
        },
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      queue.add(waiting);
      serve();
      return promise;
    },
  };
};
