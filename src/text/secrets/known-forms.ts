/**
 * The law of known forms. Secrets in a repository are masked by their issuers' forms or by the name next to them. Randomness
 * alone is no form: a hash, a UUID or a picture in base64 is not masked. S1 Masking a masked text changes nothing. S2 No text
 * grows. S3 A text without such a form is unchanged. S4 The output of `createLiveMask` for a growing text is always a prefix of
 * the complete masked text. A form in another encoding or spelling is not found: every reader of the repository could copy it
 * by hand anyway.
 */

import { type Form, ISSUED } from "./forms.ts";
import { NAMED_FINDERS } from "./names.ts";
import { type Finder, replaced, type TextRange } from "./scan.ts";

/** Has no meaning in Markdown, HTML or a shell, and is no part of any form. Shorter than every text that it replaces. */
export const MASK = "‹masked›";

export const maskSecrets = (text: string): string => replaced(text, FINDERS, keyParts(text), MASK);

export const countMasks = (text: string): number => text.split(MASK).length - 1;

interface LiveMask {
  next(text: string): string;
}

/** Withholds the last word, which may become a secret, and a private key until its end has arrived. */
export const createLiveMask = (): LiveMask => {
  let seen = "";
  /** Lines up to here are masked permanently. */
  let settled = 0;
  let shown = "";
  return {
    next: (text) => {
      if (!text.startsWith(seen)) [settled, shown] = [0, ""];
      seen = text;
      const certain = certainOf(text.slice(settled));
      const line = wholeLines(certain);
      shown += maskSecrets(certain.slice(0, line));
      settled += line;
      return shown + maskSecrets(certain.slice(line));
    },
  };
};

const certainOf = (text: string): string => {
  let end = text.length;
  while (end > 0 && isOfWord(text.charCodeAt(end - 1))) end -= 1;
  const whole = text.slice(0, end);
  const open = keysIn(whole).find(({ isOpen }) => isOpen);
  return open === undefined ? whole : whole.slice(0, open.from);
};

const isOfWord = (unit: number): boolean => unit > 32 && unit < 127;

/** Length of the lines that no later text affects: no key begins in one of them and ends after it. */
const wholeLines = (text: string): number =>
  // Goes from the last key to the first, because a key may begin in the line in which the previous one ends.
  keysIn(text).reduceRight(
    (line, { from, to }) => (line > from && line <= to ? text.lastIndexOf("\n", from - 1) + 1 : line),
    text.lastIndexOf("\n") + 1,
  );

const finderOf = ({ hints, pattern }: Form): Finder => ({
  hints,
  pattern,
  part: ({ 0: whole, groups }) => {
    const start = groups?.["kept"]?.length ?? 0;
    return whole.length - start < MASK.length ? null : { start, end: whole.length };
  },
});

/** A user name with its password in an address. */
const LOGIN: Finder = {
  hints: ["://"],
  // Excludes the name of an image with its digest.
  pattern: /(?<=:\/\/)((?:(?![/?#@:<>"'`])[!-~]){0,128}):((?:(?![/?#<>"'`])[!-~]){1,256})(?=@(?!sha\d))/g,
  part: ([whole, user, password = ""]) =>
    whole.length < MASK.length || user === password || PLACEHOLDER.test(password)
      ? null
      : { start: 0, end: whole.length },
};

const PLACEHOLDER =
  /^(?:[$%*{[(].*|x+|\.+|(?:my|your|the)?[-_]?(?:user[-_]?)?(?:pass|password|passwd|pw|pwd|secret|token|key)[-_]?(?:here)?)$/i;

/** The lines around a key are kept, so that people see what was masked. */
const keyParts = (text: string): readonly TextRange[] =>
  keysIn(text).flatMap(({ from, to }) =>
    KEY_MATERIAL.test(text.slice(from, to)) ? [{ start: from, end: to }] : [],
  );

interface Key {
  /** Offset after the key's first line. */
  readonly from: number;
  /** Offset before the last line; without a last line, the end of the text that looks like a key. */
  readonly to: number;
  /** Whether the last line may still arrive. */
  readonly isOpen: boolean;
}

const keysIn = (text: string): readonly Key[] => {
  if (!text.includes("PRIVATE KEY")) return [];
  const ends = Array.from(text.matchAll(KEY_ENDS), ({ index, 0: end }) => ({
    at: index,
    to: index + end.length,
  }));
  let next = 0;
  return Array.from(text.matchAll(KEY_BEGINS), ({ index, 0: begin }) => {
    const from = index + begin.length;
    while ((ends[next]?.at ?? from) < from) next += 1;
    const end = ends[next];
    if (end !== undefined && end.to <= from + LONGEST_KEY) return { from, to: end.at, isOpen: false };
    KEY_LINES.lastIndex = from;
    const lines = KEY_LINES.exec(text.slice(0, from + LONGEST_KEY))?.[0].length ?? 0;
    return { from, to: from + lines, isOpen: text.length < from + LONGEST_KEY };
  });
};

const KEY_BEGINS = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_ENDS = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** Maximum number of UTF-16 code units between the two lines: twice an RSA key of 16,384 bits. */
const LONGEST_KEY = 24_576;
const KEY_MATERIAL = /[A-Za-z0-9+/=]{16}/;
/** Lines of a key without an end: plain, in a diff, a quote or a string of a program. */
const KEY_LINES = /(?:(?:\s|\\[nrt]|["',>|#-]){0,32}[A-Za-z0-9+/=]{24,256})+/y;

const FINDERS: readonly Finder[] = [LOGIN, ...ISSUED.map(finderOf), ...NAMED_FINDERS];
