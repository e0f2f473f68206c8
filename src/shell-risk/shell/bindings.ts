/** Assignments: read from syntax into the script's variables. */
import type { Assignment as Written, For, Select } from "unbash";
import type { Assignment } from "./command.ts";
import { type Reader, readValue, readWords } from "./expand.ts";
import { assign, assignList, wordsOf } from "./variables.ts";
import { EMPTY, joinWords, plainWord, type Word } from "./word.ts";

/** An assignment in front of a command; it holds for that command only. */
export const readAssignment = ({ name, value }: Written, reader: Reader): Assignment => ({
  name,
  value: value.type === "ArrayValue" ? null : (readValue(value, reader)[0] ?? null),
});

/** `NAME=value` where it is a word like any other, with every value that it may have. */
export const readAsWords = ({ name, value }: Written, reader: Reader): readonly Word[] =>
  (value.type === "ArrayValue" ? [EMPTY] : readValue(value, reader)).map((each) =>
    joinWords([plainWord(`${name}=`), each], ""),
  );

/** `NAME=value`, `NAME+=value`, `NAME[…]=value` and `NAME=(…)` as commands of their own. */
export const bind = (
  { name, value, index, append = false }: Written,
  certain: boolean,
  reader: Reader,
): void => {
  if (value.type === "ArrayValue") {
    assignList(reader.variables, name, readWords(value.elements, reader), append);
    return;
  }
  const values = readValue(value, reader);
  const before = append ? reader.variables.get(name) : undefined;
  const heads = before === undefined ? [EMPTY] : wordsOf(before);
  const joined = heads.flatMap((head) => values.map((tail) => joinWords([head, tail], "")));
  if (index === undefined) assign(reader.variables, name, joined, certain);
  else bindElement(reader, name, index.text, joined, certain);
};

/** Put behind a list or in a place of it that is known; at any other place it may be whatever is asked for, like all the rest. */
const bindElement = (
  { variables }: Reader,
  name: string,
  index: string,
  values: readonly Word[],
  certain: boolean,
): void => {
  const before = variables.get(name);
  const all = before === undefined ? [] : wordsOf(before);
  const at = /^\d{1,2}$/.test(index) ? Number(index) : -1;
  const isPlaced = before?.kind !== "scalar" && (at === all.length || (certain && at in all));
  if (isPlaced && values.length === 1)
    assignList(variables, name, [...all.slice(0, at), ...values, ...all.slice(at + 1)], false);
  else assign(variables, name, [...all, ...values], true);
};

/** The variable of a `for` or `select`, which may be any of its words. */
export const bindLoop = ({ name, wordlist }: For | Select, reader: Reader): void => {
  if (wordlist !== undefined) assign(reader.variables, name.value, readWords(wordlist, reader), true);
};
