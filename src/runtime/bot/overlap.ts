/** Finds verbatim repetitions. Ignores case, punctuation and line breaks between words. Pure, in linear time. */

import { withMarkedRanges, merged, type Range } from "../../text/ranges.ts";
import { createWordSearch } from "./word-search.ts";

export interface OverlapCheck {
  without(text: string): string;
}

export const DELETED = "[deleted]";

/** Consecutive words that count as a repetition. Shorter runs are common phrases. */
const RUN = 5;
/** A long word counts as a repetition, because it may identify the author. */
const LONG = /\p{L}{12,}/gu;
/** A path or a dotted name is one word. */
const WORD = /[\p{L}\p{N}]+(?:[/._:-][\p{L}\p{N}]+)*/gu;
/** Keys and tokens, mail addresses, telephone numbers. */
const TELLING = /(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+|\+?\d[\d ()/.-]{5,}\d|[\w+=-]{8,}/gu;

interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export const createOverlap = (texts: readonly string[]): OverlapCheck => {
  const single = new Set<string>();
  const runs = new Map<number, Set<string>>();
  const telling = texts.flatMap(tellingIn);
  const tellingAt = createWordSearch(telling);
  for (const text of texts) {
    const words = wordsOf(text);
    for (const word of longIn(text)) single.add(word.text);
    const length = Math.min(RUN, words.length);
    // One word or a few short words are no quotation.
    if (length < 2 || (length < RUN && text.trim().length < 12)) continue;
    const known = runs.get(length) ?? new Set();
    runs.set(length, known);
    words.slice(length - 1).forEach((_, at) => known.add(keyOf(words, at, length)));
  }
  if (runs.size === 0 && single.size === 0 && telling.length === 0) return { without: (text) => text };
  return {
    without: (text) => {
      const long = longIn(text).filter((word) => single.has(word.text));
      const found = [...runsIn(text, runs), ...long, ...tellingAt(text)];
      return found.length === 0 ? text : withMarkedRanges(text, merged(found), () => DELETED);
    },
  };
};

const wordsOf = (text: string): readonly Word[] => matches(text, WORD);

/** Finds long words, also as parts of a path or a dotted name. */
const longIn = (text: string): readonly Word[] => matches(text, LONG);

const matches = (text: string, what: RegExp): readonly Word[] =>
  Array.from(text.matchAll(what), (found) => ({
    text: found[0].toLowerCase(),
    from: found.index,
    to: found.index + found[0].length,
  }));

const keyOf = (words: readonly Word[], at: number, length: number): string =>
  words
    .slice(at, at + length)
    .map(({ text }) => text)
    .join(" ");

const runsIn = (text: string, runs: ReadonlyMap<number, ReadonlySet<string>>): readonly Range[] => {
  const words = wordsOf(text);
  return [...runs].flatMap(([length, known]) =>
    words.flatMap((word, at) => {
      const last = words[at + length - 1];
      return last !== undefined && known.has(keyOf(words, at, length))
        ? [{ from: word.from, to: last.to }]
        : [];
    }),
  );
};

/** Names of letters only are no secrets. */
const tellingIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(TELLING), ([found]) => found).filter(
    (found) => /\d/.test(found) || found.includes("@"),
  );
