/** Issues that may already say what a new one would say, by the words of their titles. Pure. */

import type { Millis } from "../../../machine/id.ts";
import type { SimilarIssue } from "../ports/project.ts";

export interface Duplicate extends SimilarIssue {
  /** Whether the issue is open and has the same title. */
  readonly isSame: boolean;
}

const DAY: Millis = 24 * 60 * 60_000;
/** Issues that were closed earlier are no duplicates. */
const RECENT: Millis = 90 * DAY;
const MOST = 3;
/** Share of common words from which titles count as similar (Dice's coefficient). */
const SIMILAR = 0.5;

export const likelyDuplicates = (
  title: string,
  found: readonly SimilarIssue[],
  now: Millis,
): readonly Duplicate[] => {
  const [plain, words] = [plainTitle(title), new Set(titleWords(title))];
  return [...new Map(found.map((one) => [one.number, one])).values()]
    .filter(({ isPull }) => !isPull)
    .filter(({ closedAt }) => closedAt === null || now - closedAt <= RECENT)
    .map((one) => {
      const isEqual = plainTitle(one.title) === plain;
      const isSame = isEqual && one.closedAt === null;
      return { one: { ...one, isSame }, score: isEqual ? 1 : share(words, titleWords(one.title)) };
    })
    .filter(({ score }) => score >= SIMILAR)
    .toSorted(
      (a, b) =>
        Number(b.one.isSame) - Number(a.one.isSame) ||
        b.score - a.score ||
        Number(a.one.closedAt !== null) - Number(b.one.closedAt !== null) ||
        b.one.number - a.one.number,
    )
    .slice(0, MOST)
    .map(({ one }) => one);
};

/** Lower-case words of letters and digits, each once, without words that say nothing about the topic. */
export const titleWords = (title: string): readonly string[] => [
  ...new Set(wordsIn(title).filter((word) => !EMPTY.has(word))),
];

const wordsIn = (title: string): readonly string[] =>
  title
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];

const plainTitle = (title: string): string => wordsIn(title).join(" ");

const share = (words: ReadonlySet<string>, others: readonly string[]): number => {
  const common = others.filter((word) => words.has(word)).length;
  return words.size + others.length === 0 ? 0 : (2 * common) / (words.size + others.length);
};

const EMPTY: ReadonlySet<string> = new Set(
  "a an and are as at be bug by can cannot do does for from has have i if in into is issue it its not of on or s t that the this to was when while with you".split(
    " ",
  ),
);
