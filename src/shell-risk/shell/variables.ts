/** What a script has said so far about its variables. Mutable, because a script is read in its order. */
import { type Word, wordSize } from "./word.ts";

/** A scalar with every value it may have at this point, or a list (an array, `"$@"`). */
export type Value =
  | { readonly kind: "scalar"; readonly values: readonly Word[] }
  | { readonly kind: "list"; readonly words: readonly Word[] };

/** What it may be, or what is in it. */
export const wordsOf = (value: Value): readonly Word[] =>
  value.kind === "scalar" ? value.values : value.words;

export type Variables = Map<string, Value>;

/** Values remembered for one variable, elements for one list, characters and pieces for one value. */
const MAX_VALUES = 8;
const MAX_ELEMENTS = 256;
const MAX_LENGTH = 65_536;
const MAX_PIECES = 64;

/** Records `name=values`. Inside a branch or a loop the earlier values stay possible. */
export const assign = (
  variables: Variables,
  name: string,
  values: readonly Word[],
  certain: boolean,
): void => {
  const before = certain ? undefined : variables.get(name);
  const earlier = before?.kind === "scalar" ? before.values : [];
  const kept = [...earlier, ...values].slice(-MAX_VALUES).map(bounded);
  variables.set(name, { kind: "scalar", values: kept });
};

/** Records `name=(words)`; with `append`, `name+=(words)`. */
export const assignList = (
  variables: Variables,
  name: string,
  words: readonly Word[],
  append: boolean,
): void => {
  const before = append ? variables.get(name) : undefined;
  const all = [...(before === undefined ? [] : wordsOf(before)), ...words];
  variables.set(name, { kind: "list", words: all.slice(0, MAX_ELEMENTS).map(bounded) });
};

/** A variable that doubles itself in a chain of assignments would otherwise grow without end. */
const bounded = (word: Word): Word => {
  return wordSize(word) > MAX_LENGTH || word.pieces.length > MAX_PIECES
    ? { pieces: [{ kind: "unknown", source: "" }] }
    : word;
};
