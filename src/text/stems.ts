/**
 * What a question is about, as far as its words tell: each with its ending taken off, and names of code as they stand. Two
 * questions are about the same where they share these. Pure and linear.
 */

import { termsOf } from "./terms.ts";

/** By what is shared, names of code behind a backquote: as it is shown. */
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

/** Written in one run, with what tells a name of code from a word. */
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:[./-]|::)[\p{L}\p{N}_$]+)*/gu;

const isName = (word: string): boolean =>
  word.length <= 80 && (/[_$/]|::|\w\.\w/.test(word) || /\p{Ll}\p{Lu}/u.test(word));

/** Endings of English, so that `logging`, `logged` and `logs` are one. Other languages keep their words whole. */
const stem = (term: string): string => {
  if (!/^[a-z]{4,}$/.test(term)) return term;
  const singular = term
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch|sh)es$/, "$1")
    .replace(/([^s])s$/, "$1");
  const bare = singular.replace(/(?:ations?|ing|ed)$/, "");
  // A stem without a vowel, or of two letters, was no ending: `string`, `red`.
  const cut = bare.length >= 3 && /[aeiouy]/.test(bare) ? bare : singular;
  return cut.replace(/([bdfgmnprt])\1$/, "$1").replace(/(?<=..)e$/, "");
};

export const isNameOfCode = (stem: string): boolean => stem.startsWith("`");

/** Of all the words of two questions, how many they share: from 0 to 1. */
export const likeness = (a: Stems, b: Stems): number => {
  const shared = [...a.keys()].filter((one) => b.has(one)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
};
