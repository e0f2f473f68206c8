/** What a person typed as a query that FTS5 always takes, and as the words to look for in a text. Pure. */

const MOST_TERMS = 12;
const LONGEST = 400;

export interface Query {
  /** In FTS5's language. */
  readonly match: string;
  readonly words: readonly Wanted[];
}

export interface Wanted {
  /** Folded. */
  readonly word: string;
  /** Its beginning is enough. */
  readonly isBeginning: boolean;
}

/** Null where nothing was typed that could be found. */
export const queryOf = (typed: string): Query | null => {
  const terms = [
    ...typed
      .slice(0, LONGEST)
      .toWellFormed()
      .matchAll(/"([^"]*)"|[^\s"]+/gu),
  ]
    .map(([whole, phrase]) => termOf(phrase ?? whole, phrase !== undefined))
    .filter(({ words }) => words.length > 0)
    .slice(0, MOST_TERMS);
  if (terms.length === 0) return null;
  return { match: terms.map(({ match }) => match).join(" "), words: terms.flatMap(({ words }) => words) };
};

/** A single letter begins too many words: it is searched for as it is. */
const termOf = (text: string, isPhrase: boolean): Query => {
  const found = Array.from(wordsIn(text), ([word]) => fold(word));
  const isBeginning = !isPhrase && (found.at(-1)?.length ?? 0) > 1;
  return {
    match: `"${text.replaceAll(/\p{Cc}/gu, " ")}"${isBeginning ? "*" : ""}`,
    words: found.map((word, at) => ({ word, isBeginning: isBeginning && at === found.length - 1 })),
  };
};

/** As the index tells words apart (unicode61). */
export const wordsIn = (text: string): Iterable<RegExpExecArray> =>
  text.matchAll(/[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu);

/** As the index compares them: without case and diacritics. */
export const fold = (word: string): string => word.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
