/**
 * A conversation holds at most one slot of a kind, and its sub-agents together at most half of them. A free slot goes to the
 * waiting family with the fewest slots, then to the longest wait.
 */

import type { SlotLoad } from "../../ports/figures.ts";

export type CountedSlots = ReturnType<typeof createSlots>;
export type Slots = Pick<CountedSlots, "take">;

interface Waiting {
  readonly family: string | null;
  readonly grant: () => void;
}

export const createSlots = (limit: number) => {
  const share = Math.max(1, Math.floor(limit / 2));
  const waiting = new Set<Waiting>();
  const holds = new Map<string, number>();
  let free = limit;

  const held = (family: string | null): number => (family === null ? 0 : (holds.get(family) ?? 0));

  const count = (family: string | null, by: number): void => {
    free -= by;
    if (family === null) return;
    const now = held(family) + by;
    if (now === 0) holds.delete(family);
    else holds.set(family, now);
  };

  const next = (): Waiting | undefined => {
    let best: Waiting | undefined;
    for (const one of waiting) {
      if (held(one.family) >= share) continue;
      if (best === undefined || held(one.family) < held(best.family)) best = one;
    }
    return best;
  };

  const give = (family: string | null): (() => void) => {
    count(family, 1);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      count(family, -1);
      const first = next();
      if (first === undefined) return;
      waiting.delete(first);
      first.grant();
    };
  };

  return {
    load: (): SlotLoad => ({ most: limit, inUse: limit - free, waiting: waiting.size }),
    /** Null if `signal` is aborted first. `family`: conversations that share a quota; absent for work outside conversations. */
    take: (signal: AbortSignal, family?: string): Promise<(() => void) | null> => {
      const mine = family ?? null;
      if (signal.aborted) return Promise.resolve(null);
      if (free > 0 && held(mine) < share) return Promise.resolve(give(mine));
      return new Promise((resolve) => {
        const one: Waiting = {
          family: mine,
          grant: () => {
            signal.removeEventListener("abort", giveUp);
            resolve(give(mine));
          },
        };
        const giveUp = (): void => {
          waiting.delete(one);
          resolve(null);
        };
        waiting.add(one);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
};
