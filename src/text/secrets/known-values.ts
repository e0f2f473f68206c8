/** Secrets of the host are removed. A secret that a command encodes first is not found, so commands never receive secrets. */

import { occurrences } from "../occurrences.ts";
import { withMarkedRanges, merged, type Range } from "../ranges.ts";

/** Shorter values are too likely to be ordinary text. */
const MIN_LENGTH = 8;

/** Shorter than any secret that is searched for, so that replacing always shortens the text. */
const MARK = "***";

export interface Redactor {
  text(value: string): string;
  holds(content: { includes(part: string): boolean }): boolean;
  /** For a text whose end was cut off: also removes a possible beginning of a secret there, repeatedly. */
  cutAfter(value: string): string;
  /** For a text whose beginning was cut off. */
  cutBefore(value: string): string;
}

interface RedactorOptions {
  readonly variants?: (secret: string) => readonly string[];
  /** Minimum length of a secret in characters; must exceed the length of the mark. */
  readonly least?: number;
}

/** `secrets` may grow: later values are removed too. */
export const createRedactor = (
  secrets: readonly string[],
  { variants = () => [], least = MIN_LENGTH }: RedactorOptions = {},
): Redactor => {
  let known: readonly string[] = [];
  let read = 0;
  const needles = (): readonly string[] => {
    if (read === secrets.length) return known;
    read = secrets.length;
    const all = new Set(secrets.flatMap((secret) => [secret, ...variants(secret)]));
    known = [...all].filter((needle) => needle.length >= least);
    return known;
  };
  const text = (value: string): string => withoutAny(value, needles());
  return {
    text,
    holds: (content) => needles().some((needle) => content.includes(needle)),
    cutAfter: (value) => {
      let clean = text(value);
      const cut = (): number =>
        longestPart(needles(), (needle, length) => clean.endsWith(needle.slice(0, length)));
      for (let length = cut(); length > 0; length = cut()) clean = clean.slice(0, -length);
      return clean;
    },
    cutBefore: (value) => {
      const clean = text(value);
      return clean.slice(
        longestPart(needles(), (needle, length) => clean.startsWith(needle.slice(needle.length - length))),
      );
    },
  };
};

/** Repeated until nothing is found, because a mark and its neighbors may form a new secret. */
const withoutAny = (value: string, needles: readonly string[]): string => {
  let text = value;
  for (let found = secretRanges(text, needles); found.length > 0; found = secretRanges(text, needles)) {
    text = withMarkedRanges(text, found, () => MARK);
  }
  return text;
};

export const secretRanges = (text: string, needles: readonly string[]): readonly Range[] =>
  merged(
    needles.flatMap((needle) =>
      occurrences(text, needle, Infinity).map((from) => ({ from, to: from + needle.length })),
    ),
  );

/** Complete secrets are excluded. */
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
