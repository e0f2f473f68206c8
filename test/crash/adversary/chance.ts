/** Chance that can be had again: a small generator of its own, because a million sequences draw a hundred numbers each. */

export type Chance = ReturnType<typeof createChance>;

export const createChance = (seed: number) => {
  let state = seed >>> 0;
  /** From 0 to below 1 (mulberry32). */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    /** Once in so many. */
    once: (times: number): boolean => below(times) === 0,
    of: <T>(choices: readonly [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0],
  };
};
