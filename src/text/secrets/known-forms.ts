/**
 * The law of known forms: secrets that somebody left in a repository are found by the forms that their issuers gave them or
 * by the name beside them, and masked before others read them. Pure. Never mere randomness: a hash, a UUID or a picture in base64 is none.
 *
 * S1 masking what is masked changes nothing. S2 no text grows. S3 a text without such a form stays as it is. S4 what
 * `createLiveMask` gave out of a growing text is the beginning of the whole, masked. A form that was written otherwise
 * (encoded, spelled, cut in two by words) is not found: whoever can read the repository could always copy it by hand.
 */

import { type Form, ISSUED } from "./forms.ts";
import { NAMED_FINDERS } from "./names.ts";
import { type Finder, replaced, type TextRange } from "./scan.ts";

/** Means nothing to Markdown, HTML or a shell, and is no part of any form. Shorter than whatever it stands for. */
export const MASK = "‹masked›";

/** The text with every value of a known form replaced by the mask. */
export const maskSecrets = (text: string): string => replaced(text, FINDERS, keyParts(text), MASK);

/** How many values the text has lost. */
export const countMasks = (text: string): number => text.split(MASK).length - 1;

interface LiveMask {
  /** What can be shown of a text that grew since it was last asked for. */
  next(text: string): string;
}

/**
 * `maskSecrets` for a text that is being written: the last word is held back, because it may become a secret, and so is
 * a private key until its end has come. Looks at each line once more than it grew.
 */
export const createLiveMask = (): LiveMask => {
  let seen = "";
  /** Lines up to here are masked for good. */
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

/** Without the last word, and without what follows the first line of a key that may still go on. */
const certainOf = (text: string): string => {
  let end = text.length;
  while (end > 0 && isOfWord(text.charCodeAt(end - 1))) end -= 1;
  const whole = text.slice(0, end);
  const open = keysIn(whole).find(({ isOpen }) => isOpen);
  return open === undefined ? whole : whole.slice(0, open.from);
};

/** Every form is made of these. */
const isOfWord = (unit: number): boolean => unit > 32 && unit < 127;

/** How much of it are lines that nothing after them concerns: no key begins in one and ends in another. */
const wholeLines = (text: string): number =>
  // From the last key to the first: the line that one begins in may be the line that the one before ends in.
  keysIn(text).reduceRight(
    (line, { from, to }) => (line > from && line <= to ? text.lastIndexOf("\n", from - 1) + 1 : line),
    text.lastIndexOf("\n") + 1,
  );

/** All that is found, but for what its form keeps. */
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
  // Not the name of an image with its digest.
  pattern: /(?<=:\/\/)((?:(?![/?#@:<>"'`])[!-~]){0,128}):((?:(?![/?#<>"'`])[!-~]){1,256})(?=@(?!sha\d))/g,
  part: ([whole, user, password = ""]) =>
    whole.length < MASK.length || user === password || PLACEHOLDER.test(password)
      ? null
      : { start: 0, end: whole.length },
};

/** What stands in documentation, and variables. */
const PLACEHOLDER =
  /^(?:[$%*{[(].*|x+|\.+|(?:my|your|the)?[-_]?(?:user[-_]?)?(?:pass|password|passwd|pw|pwd|secret|token|key)[-_]?(?:here)?)$/i;

/** The lines around a private key stay, so that people see what it was. */
const keyParts = (text: string): readonly TextRange[] =>
  keysIn(text).flatMap(({ from, to }) =>
    KEY_MATERIAL.test(text.slice(from, to)) ? [{ start: from, end: to }] : [],
  );

interface Key {
  /** Behind its first line. */
  readonly from: number;
  /** Before its last line; where that is missing, behind what looks like lines of a key. */
  readonly to: number;
  /** The last line may still come. */
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
/** UTF-16 code units between the two lines: twice an RSA key of 16,384 bits. */
const LONGEST_KEY = 24_576;
const KEY_MATERIAL = /[A-Za-z0-9+/=]{16}/;
/** Lines of a key whose end is missing: as they are, in a diff, a quote or a string of a program. */
const KEY_LINES = /(?:(?:\s|\\[nrt]|["',>|#-]){0,32}[A-Za-z0-9+/=]{24,256})+/y;

const FINDERS: readonly Finder[] = [LOGIN, ...ISSUED.map(finderOf), ...NAMED_FINDERS];
