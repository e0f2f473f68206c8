/** Turns for work of which only so much may go on at once, and only one piece of it for each key. */

interface Lanes {
  /** A lane's number and the way to give it back; null when `signal` was aborted first. First come, first served. */
  take(key: string, signal: AbortSignal): Promise<Lane | null>;
}

export interface Lane {
  readonly number: number;
  /** To be called once. */
  release(): void;
}

interface Waiting {
  readonly key: string;
  readonly grant: (lane: Lane) => void;
}

export const createLanes = (count: number): Lanes => {
  const free = Array.from({ length: count }, (_, number) => number);
  const busy = new Set<string>();
  const queue = new Set<Waiting>();

  const serve = (): void => {
    for (const waiting of queue) {
      if (busy.has(waiting.key)) continue;
      const number = free.pop();
      if (number === undefined) return;
      queue.delete(waiting);
      busy.add(waiting.key);
      waiting.grant({ number, release: () => release(waiting.key, number) });
    }
  };

  const release = (key: string, number: number): void => {
    free.push(number);
    busy.delete(key);
    serve();
  };

  return {
    take: (key, signal) => {
      const { promise, resolve } = Promise.withResolvers<Lane | null>();
      if (signal.aborted) return Promise.resolve(null);
      const giveUp = (): void => {
        queue.delete(waiting);
        resolve(null);
      };
      const waiting: Waiting = {
        key,
        grant: (lane) => {
          signal.removeEventListener("abort", giveUp);
          resolve(lane);
        },
      };
      signal.addEventListener("abort", giveUp, { once: true });
      queue.add(waiting);
      serve();
      return promise;
    },
  };
};
