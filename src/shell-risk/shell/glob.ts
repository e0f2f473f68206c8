/** Shell patterns for one path component (no `/`), as bash matches them by default. */

/** A leading dot must be matched by a dot. */
export const matchesGlob = (pattern: string, name: string): boolean => {
  if (name.startsWith(".") && !/^(?:\.|\\\.)/.test(pattern)) return false;
  // Positions in the name at which the pattern so far may end, in order.
  let ends: readonly number[] = [0];
  for (const token of tokens(pattern)) {
    if (token === "*") ends = Array.from({ length: name.length + 1 }, (_, at) => at).slice(ends[0]);
    else ends = ends.flatMap((at) => (at < name.length && matches(token, name[at] ?? "") ? [at + 1] : []));
    if (ends.length === 0) return false;
  }
  return ends.includes(name.length);
};

/** Whether a pattern matches every visible name: stars and question marks with at least one star. */
export const matchesAll = (pattern: string): boolean => /^\?*\*[*?]*$/.test(pattern);

/** Characters, escaped characters and sets, each as written. */
const tokens = (pattern: string): readonly string[] => {
  // No set ends after the last `]`, so the search for its end is not repeated.
  const end = pattern.lastIndexOf("]") + 1;
  return [...(pattern.slice(0, end).match(SETS) ?? []), ...(pattern.slice(end).match(CHARACTERS) ?? [])];
};

const SETS = /\\[\s\S]|\[[!^]?\]?[^\]]*\]|[\s\S]/g;
const CHARACTERS = /\\[\s\S]|[\s\S]/g;

const matches = (token: string, char: string): boolean => {
  if (token.length === 1) return token === "?" || token === char;
  if (token.startsWith("\\")) return token[1] === char;
  const isNegated = token[1] === "!" || token[1] === "^";
  return inSet(token.slice(isNegated ? 2 : 1, -1), char) !== isNegated;
};

const inSet = (set: string, char: string): boolean => {
  for (let at = 0; at < set.length; at += 1) {
    const from = set[at] ?? "";
    const to = set[at + 1] === "-" ? set[at + 2] : undefined;
    if (to === undefined ? char === from : from <= char && char <= to) return true;
    if (to !== undefined) at += 2;
  }
  return false;
};
