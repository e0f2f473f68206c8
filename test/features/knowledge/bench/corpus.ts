/**
 * A generated project: issues with comments, and pages. Words are drawn as often as words of a language are (Zipf), from ones made of
 * syllables, so that nothing in it says anything and every run has the same.
 */

const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu zan ler mon tis ker".split(
  " ",
);
const WORDS = 30_000;

/** The same numbers for the same seed (mulberry32). */
export const chance = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const word = (rank: number): string => {
  let made = "";
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    made += SYLLABLES[rest % SYLLABLES.length];
  return made;
};

/** Ranks near nothing come most. */
const drawn = (random: () => number): string => word(Math.floor(WORDS ** random()) - 1);

export const textOf = (seed: number, words: number): string => {
  const random = chance(seed);
  return Array.from(
    { length: words },
    (_, index) => `${drawn(random)}${index % 12 === 11 ? ".\n" : ""}`,
  ).join(" ");
};

/** Words of a text as somebody remembers it: the rarer ones of it, and some of another. */
export const queryOf = (seed: number, words: number): string => {
  const own = textOf(seed, words).split(/[\s.]+/);
  return [...own.toSorted((a, b) => b.length - a.length).slice(0, 5), ...textOf(seed + 7, 2).split(" ")].join(
    " ",
  );
};
