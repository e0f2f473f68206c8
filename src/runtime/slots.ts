/**
 * A bound on work that is dear to the host (model calls, tool processes). Whoever waits longest goes next; a
 * conversation holds at most one slot of a kind, so turns are served round (design.md 4).
 */

export interface Slots {
  /** The way to give the slot back, or null when `signal` was aborted before one was free. */
  take(signal: AbortSignal): Promise<(() => void) | null>;
}

export const createSlots = (limit: number): Slots => {
  const waiting = new Set<() => void>();
  let free = limit;

  const release = (): void => {
    free += 1;
    const [first] = waiting;
    if (first === undefined) return;
    waiting.delete(first);
    first();
  };

  const held = (): (() => void) => {
    free -= 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      release();
    };
  };

  return {
    take: (signal) => {
      if (signal.aborted) return Promise.resolve(null);
      if (free > 0) return Promise.resolve(held());
      return new Promise((resolve) => {
        const grant = (): void => {
          signal.removeEventListener("abort", giveUp);
          resolve(held());
        };
        const giveUp = (): void => {
          waiting.delete(grant);
          resolve(null);
        };
        waiting.add(grant);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
};
