/**
 * Takes the host's known secrets out of what tools answer. Pure.
 *
 * Only text that holds a secret as it is written is caught; a secret that a command encodes first is not, which
 * is why commands are never given one.
 */

import { occurrences } from "../patch/occurrences.ts";

/** Shorter values are too likely to be ordinary text. */
const MIN_LENGTH = 8;

/** Shorter than any secret that is looked for, so that replacing always shrinks the text. */
const MARK = "***";

export interface Redactor {
  /** The text without any known secret. */
  text(value: string): string;
  /** Whether bytes hold a known secret. */
  holds(bytes: Buffer): boolean;
  /** The same as `text` for text whose end was cut off: what may be the beginning of a secret goes too, as often as there is one. */
  cutAfter(value: string): string;
  /** The same for text whose beginning was cut off. */
  cutBefore(value: string): string;
}

/** `variants` gives the forms in which a secret may appear beside its own. */
export const createRedactor = (
  secrets: readonly string[],
  variants: (secret: string) => readonly string[] = () => [],
): Redactor => {
  const needles = [...new Set(secrets.flatMap((secret) => [secret, ...variants(secret)]))].filter(
    (needle) => needle.length >= MIN_LENGTH,
  );
  const text = (value: string): string => withoutAny(value, needles);
  return {
    text,
    holds: (bytes) => needles.some((needle) => bytes.includes(needle)),
    cutAfter: (value) => {
      let clean = text(value);
      const cut = (): number => longest(needles, (needle, length) => clean.endsWith(needle.slice(0, length)));
      for (let length = cut(); length > 0; length = cut()) clean = clean.slice(0, -length);
      return clean;
    },
    cutBefore: (value) => {
      const clean = text(value);
      return clean.slice(
        longest(needles, (needle, length) => clean.startsWith(needle.slice(needle.length - length))),
      );
    },
  };
};

/** Again until nothing is found: a mark and its neighbours may spell a secret that was not there before. */
const withoutAny = (value: string, needles: readonly string[]): string => {
  let text = value;
  for (let found = ranges(text, needles); found.length > 0; found = ranges(text, needles)) {
    let kept = "";
    let at = 0;
    for (const { start, end } of found) {
      kept += text.slice(at, start) + MARK;
      at = end;
    }
    text = kept + text.slice(at);
  }
  return text;
};

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where secrets stand, those that overlap or touch made one. */
const ranges = (text: string, needles: readonly string[]): readonly Range[] => {
  const found = needles
    .flatMap((needle) =>
      occurrences(text, needle, Number.POSITIVE_INFINITY).map((start) => ({
        start,
        end: start + needle.length,
      })),
    )
    .toSorted((a, b) => a.start - b.start);
  const merged: Range[] = [];
  for (const range of found) {
    const last = merged.at(-1);
    if (last !== undefined && range.start <= last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    } else merged.push(range);
  }
  return merged;
};

/** The longest part of any secret, whole secrets left out, that `matches`. */
const longest = (
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
