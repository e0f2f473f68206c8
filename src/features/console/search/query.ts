/** What a person typed as a query that FTS5 always takes. Pure. */

const MOST_TERMS = 12;
const LONGEST = 400;

/** Null where nothing was typed that could be found. */
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

/** Its beginning is enough. A single letter begins too many words: it is searched for as it is. */
const termOf = (text: string, isPhrase: boolean): string | null => {
  const last = text.match(WORDS)?.at(-1);
  if (last === undefined) return null;
  const isBeginning = !isPhrase && last.normalize("NFD").replaceAll(/\p{M}/gu, "").length > 1;
  return `"${text.replaceAll(/\p{Cc}/gu, " ")}"${isBeginning ? "*" : ""}`;
};

/** As the index tells words apart (unicode61). */
const WORDS = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;
