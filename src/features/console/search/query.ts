/** Converts typed text to a query that FTS5 always accepts. Pure. */

const MOST_TERMS = 12;
const LONGEST = 400;

/** Null if the text contains no searchable word. */
export const searchQueryOf = (typed: string): string | null => {
  const terms = typed
    .slice(0, LONGEST)
    .toWellFormed()
    .matchAll(/"([^"]*)"|[^\s"]+/gu);
  const found = Array.from(terms, ([whole, phrase]) => termOf(phrase ?? whole, phrase !== undefined))
    .filter((term) => term !== null)
    .slice(0, MOST_TERMS);
  return found.length === 0 ? null : found.join(" ");
};

/**
 * Searches for a word as a prefix. A single letter is searched as a whole word, because too many words start
 * with it.
 */
const termOf = (text: string, isPhrase: boolean): string | null => {
  const last = text.match(WORDS)?.at(-1);
  if (last === undefined) return null;
  const isBeginning = !isPhrase && last.normalize("NFD").replaceAll(/\p{M}/gu, "").length > 1;
  return `"${text.replaceAll(/\p{Cc}/gu, " ")}"${isBeginning ? "*" : ""}`;
};

/** Splits words like the index (unicode61). */
const WORDS = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;
