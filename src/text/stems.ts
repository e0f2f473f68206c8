/** The subject of a question: words without their endings, and names of code unchanged. */

import { termsOf } from "./terms.ts";

/** Displayed words by their stems. Names of code have a backquote before the stem. */
export type Stems = ReadonlyMap<string, string>;

const LONGEST = 2_000;

export const stemsOf = (question: string): Stems => {
  const text = question.slice(0, LONGEST);
  const found = new Map<string, string>();
  for (const [name] of text.matchAll(NAME)) if (isName(name)) found.set(`\`${name.toLowerCase()}`, name);
  for (const term of termsOf(text.replaceAll(NAME, (name) => (isName(name) ? " " : name))))
    if (term.length > 1 && !/^\d+$/.test(term)) found.set(stem(term), term);
  return found;
};

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:[./-]|::)[\p{L}\p{N}_$]+)*/gu;

const isName = (word: string): boolean =>
  word.length <= 80 && (/[_$/]|::|\w\.\w/.test(word) || /\p{Ll}\p{Lu}/u.test(word));

/** Makes `logging`, `logged` and `logs` equal. Words of other languages are kept. */
const stem = (term: string): string => {
  if (!/^[a-z]{4,}$/.test(term)) return term;
  const singular = term
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch|sh)es$/, "$1")
    .replace(/([^s])s$/, "$1");
  const bare = singular.replace(/(?:ations?|ing|ed)$/, "");
  // A remaining stem without a vowel, or of two letters, means that there was no ending: `string`, `red`.
  const cut = bare.length >= 3 && /[aeiouy]/.test(bare) ? bare : singular;
  return cut.replace(/([bdfgmnprt])\1$/, "$1").replace(/(?<=..)e$/, "");
};

export const isNameOfCode = (stem: string): boolean => stem.startsWith("`");

/** The share of words that two questions have in common, from 0 to 1. */
export const likeness = (a: Stems, b: Stems): number => {
  const shared = [...a.keys()].filter((one) => b.has(one)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
};
