/**
 * The law of known values: a secret that the host itself holds is taken out of what tools answer, what a forge answers and
 * what the log says. Pure.
 *
 * Only text that holds a secret as it is written is caught, or in one of the forms that the caller names; a secret that a
 * command encodes first is not, which is why commands are never given one.
 */

import { occurrences } from "../occurrences.ts";
import { withMarkedRanges, merged, type Range } from "../ranges.ts";

/** Shorter values are too likely to be ordinary text. */
const MIN_LENGTH = 8;

/** Shorter than any secret that is looked for, so that replacing always shrinks the text. */
const MARK = "***";

export interface Redactor {
  /** The text without any known secret. */
  text(value: string): string;
  /** Whether a text, or bytes, hold a known secret. */
  holds(content: { includes(part: string): boolean }): boolean;
  /** The same as `text` for text whose end was cut off: what may be the beginning of a secret goes too, as often as there is one. */
  cutAfter(value: string): string;
  /** The same for text whose beginning was cut off. */
  cutBefore(value: string): string;
}

interface RedactorOptions {
  /** The forms in which a secret may appear beside its own. */
  readonly variants?: (secret: string) => readonly string[];
  /** Characters of the shortest value that counts: more than the mark has. */
  readonly least?: number;
}

export const createRedactor = (
  secrets: readonly string[],
  { variants = () => [], least = MIN_LENGTH }: RedactorOptions = {},
): Redactor => {
  const needles = [...new Set(secrets.flatMap((secret) => [secret, ...variants(secret)]))].filter(
    (needle) => needle.length >= least,
  );
  const text = (value: string): string => withoutAny(value, needles);
  return {
    text,
    holds: (content) => needles.some((needle) => content.includes(needle)),
    cutAfter: (value) => {
      let clean = text(value);
      const cut = (): number =>
        longestPart(needles, (needle, length) => clean.endsWith(needle.slice(0, length)));
      for (let length = cut(); length > 0; length = cut()) clean = clean.slice(0, -length);
      return clean;
    },
    cutBefore: (value) => {
      const clean = text(value);
      return clean.slice(
        longestPart(needles, (needle, length) => clean.startsWith(needle.slice(needle.length - length))),
      );
    },
  };
};

/** Again until nothing is found: a mark and its neighbours may spell a secret that was not there before. */
const withoutAny = (value: string, needles: readonly string[]): string => {
  let text = value;
  for (let found = secretRanges(text, needles); found.length > 0; found = secretRanges(text, needles)) {
    text = withMarkedRanges(text, found, () => MARK);
  }
  return text;
};

/** Where secrets stand. */
export const secretRanges = (text: string, needles: readonly string[]): readonly Range[] =>
  merged(
    needles.flatMap((needle) =>
      occurrences(text, needle, Infinity).map((from) => ({ from, to: from + needle.length })),
    ),
  );

/** The longest part of any secret, whole secrets left out, that `matches`. */
export const longestPart = (
  needles: readonly string[],
  matches: (needle: string, length: number) => boolean,
): number => {
  let best = 0;
  for (const needle of needles) {
    for (let length = needle.length - 1; length > best; length -= 1) {
      if (matches(needle, length)) best = length;
    }
  }
  return best;
};
