/** Shell patterns for one path component (no `/`), as bash matches them by default. */

import { fits } from "../../text/wildcard.ts";

/** Whether a pattern matches a name. A leading dot must be matched by a dot. */
export const matchesGlob = (pattern: string, name: string): boolean => {
  if (name.startsWith(".") && !/^(?:\.|\\\.)/.test(pattern)) return false;
  return fits(tokens(pattern), name, STAR, (token, char) => token(char));
};

/** Whether a pattern matches every visible name: stars and question marks with at least one star. */
export const matchesAll = (pattern: string): boolean => /^\?*\*[*?]*$/.test(pattern);

type Token = (char: string) => boolean;

const STAR: Token = () => false;

const tokens = (pattern: string): readonly Token[] => {
  // No set ends behind the last of them: the end of one is not looked for again and again.
  const end = pattern.lastIndexOf("]") + 1;
  const parts = [...pattern.slice(0, end).matchAll(SETS), ...pattern.slice(end).matchAll(CHARACTERS)];
  return parts.map((match): Token => {
    const [whole, escaped, negation, set] = match;
    if (escaped !== undefined) return (char) => char === escaped;
    if (set !== undefined) return (char) => inSet(set, char) !== (negation !== "");
    return whole === "*" ? STAR : (char) => whole === "?" || char === whole;
  });
};

const SETS = /\\([\s\S])|\[([!^]?)(\]?[^\]]*)\]|[\s\S]/g;
const CHARACTERS = /\\([\s\S])|[\s\S]/g;

const inSet = (set: string, char: string): boolean => {
  for (let at = 0; at < set.length; at += 1) {
    const from = set[at] ?? "";
    const to = set[at + 1] === "-" ? set[at + 2] : undefined;
    if (to === undefined ? char === from : from <= char && char <= to) return true;
    if (to !== undefined) at += 2;
  }
  return false;
};
