/** What a word says: its meaning where one is listed, else its stem, and how much it tells about a question. Pure. */

import { VOCABULARY } from "./vocabulary.ts";

export type Weight = "filler" | "light" | "common" | "strict" | "topic";

export const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];

export const meaningOf = (word: string): string => {
  const stem = stemOf(word);
  return MEANINGS.get(stem) ?? stem;
};

export const weightOf = (word: string, meaning: string): Weight =>
  FILLERS.has(word) ? "filler" : (WEIGHTS.get(meaning) ?? "topic");

type Ending = readonly [ending: RegExp, by: string, least: number];

/** What makes a plural. */
const PLURALS: readonly Ending[] = [
  [/'s?$/, "", 2],
  [/ies$/, "y", 2],
  [/((?:[sxz]|ch|sh))es$/, "$1", 3],
  [/(?<!ia|[su])s$/, "", 2],
];

const ENDINGS: readonly Ending[] = [
  [/(?<=if)(?:ication|ying|ied|y)$/, "", 4],
  [/(?:ication|ation|ition)$/, "", 4],
  [/(?:ment|ion|ing)$/, "", 3],
  [/(?:ed)?ly$/, "", 4],
  [/(?<!e|emb)ed$/, "", 3],
];

/** A plural's ending goes, then one of the others, each where so many letters are left, a vowel among them. */
export const stemOf = (word: string): string => {
  const bare = without(without(word, PLURALS), ENDINGS);
  return (bare.length > 3 ? bare.replace(/[eiy]$/, "") : bare).replace(/([bdfgmnprt])\1$/, "$1");
};

const without = (word: string, endings: readonly Ending[]): string => {
  for (const [ending, by, least] of endings) {
    const cut = word.replace(ending, by);
    if (cut !== word && cut.length >= least && /[aeiouy]/.test(cut)) return cut;
  }
  return word;
};

const FILLERS: ReadonlySet<string> = new Set(VOCABULARY.fillers);

const MEANINGS: ReadonlyMap<string, string> = new Map(
  VOCABULARY.meanings.flatMap(([first = "", ...others]) =>
    [first, ...others].map((word) => [stemOf(word), stemOf(first)] as const),
  ),
);

/** The stricter one holds where a word is listed twice. */
const WEIGHTS: ReadonlyMap<string, Weight> = new Map(
  (["light", "common", "strict"] as const).flatMap((weight) =>
    VOCABULARY[weight].map((word) => [meaningOf(word), weight] as const),
  ),
);
