/**
 * Secrets that somebody left in a repository, found by the forms that their issuers gave them or by the name beside them,
 * and masked before others read them. Pure. Never mere randomness: a hash, a UUID or a picture in base64 is none.
 *
 * S1 masking what is masked changes nothing. S2 no text grows. S3 a text without such a form stays as it is. S4 what
 * `createLiveMask` gave out of a growing text is the beginning of the whole, masked. A form that was written otherwise
 * (encoded, spelled, cut in two by words) is not found: whoever can read the repository could always copy it by hand.
 */

import { type Form, ISSUED } from "./secret-forms.ts";
import { maskNamed, NAME_HINTS } from "./secret-names.ts";

/** Means nothing to Markdown, HTML or a shell, and is no part of any form. Shorter than whatever it stands for. */
export const MASK = "‹masked›";

/** The text with every value of a known form replaced by the mask. */
export const maskSecrets = (text: string): string => {
  let masked = pass(text);
  // What was masked ends a word: a form beside it may stand alone now.
  for (let before = text; masked !== before; ) {
    before = masked;
    masked = pass(before);
  }
  return masked;
};

/** How many values the text has lost. */
export const countMasked = (text: string): number => text.split(MASK).length - 1;

export interface LiveMask {
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

const pass = (text: string): string =>
  FORMS.reduce(
    (left, { hints, mask }) => (hints.some((hint) => left.includes(hint)) ? mask(left) : left),
    text,
  );

interface Masking {
  /** One of these is in every text that has the form. */
  readonly hints: readonly string[];
  readonly mask: (text: string) => string;
}

const maskingOf = ({ hints, pattern }: Form): Masking => ({
  hints,
  mask: (text) =>
    text.replaceAll(pattern, (whole: string, ...rest: readonly unknown[]) => {
      const groups = rest.at(-1);
      const kept =
        typeof groups === "object" && groups !== null && "kept" in groups ? String(groups.kept) : "";
      return whole.length - kept.length < MASK.length ? whole : `${kept}${MASK}`;
    }),
});

/** A user name with its password in an address. */
const maskLogins = (text: string): string =>
  text.replaceAll(LOGINS, (whole: string, user: string, password: string) =>
    whole.length < MASK.length || user === password || PLACEHOLDER.test(password) ? whole : MASK,
  );

/** Not the name of an image with its digest. */
const LOGINS = /(?<=:\/\/)((?:(?![/?#@:<>"'`])[!-~]){0,128}):((?:(?![/?#<>"'`])[!-~]){1,256})(?=@(?!sha\d))/g;

/** What stands in documentation, and variables. */
const PLACEHOLDER =
  /^(?:[$%*{[(].*|x+|\.+|(?:my|your|the)?[-_]?(?:user[-_]?)?(?:pass|password|passwd|pw|pwd|secret|token|key)[-_]?(?:here)?)$/i;

/** The lines around a private key stay, so that people see what it was. */
const maskKeys = (text: string): string => {
  let masked = "";
  let at = 0;
  for (const { from, to } of keysIn(text)) {
    if (from < at || !KEY_MATERIAL.test(text.slice(from, to))) continue;
    masked += text.slice(at, from) + MASK;
    at = to;
  }
  return masked + text.slice(at);
};

interface Key {
  /** Behind its first line. */
  readonly from: number;
  /** Before its last line; where that is missing, behind what looks like lines of a key. */
  readonly to: number;
  /** The last line may still come. */
  readonly isOpen: boolean;
}

const keysIn = (text: string): readonly Key[] =>
  text.includes("PRIVATE KEY")
    ? Array.from(text.matchAll(KEY_BEGINS), ({ index, 0: begin }) => keyAt(text, index + begin.length))
    : [];

const keyAt = (text: string, from: number): Key => {
  const inside = text.slice(from, from + LONGEST_KEY);
  const end = inside.search(KEY_END);
  if (end !== -1) return { from, to: from + end, isOpen: false };
  const lines = KEY_LINES.exec(inside)?.[0].length ?? 0;
  return { from, to: from + lines, isOpen: inside.length < LONGEST_KEY };
};

const KEY_BEGINS = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
/** UTF-16 code units between the two lines: twice an RSA key of 16,384 bits. */
const LONGEST_KEY = 24_576;
const KEY_MATERIAL = /[A-Za-z0-9+/=]{16}/;
/** Lines of a key whose end is missing: as they are, in a diff, a quote or a string of a program. */
const KEY_LINES = /^(?:(?:\s|\\[nrt]|["',>|#-]){0,32}[A-Za-z0-9+/=]{24,256})+/;

/** Whole private keys and passwords in addresses first: what stands in them has forms of its own. */
const FORMS: readonly Masking[] = [
  { hints: ["PRIVATE KEY"], mask: maskKeys },
  { hints: ["://"], mask: maskLogins },
  ...ISSUED.map(maskingOf),
  { hints: NAME_HINTS, mask: (text) => maskNamed(text, MASK) },
];
