/** Assignments: read from syntax into the script's variables. */
import type { Assignment as Written, For, Select } from "unbash";
import type { Assignment } from "./command.ts";
import { type Reader, readValue, readWords } from "./expand.ts";
import { assign, assignList, wordsOf } from "./variables.ts";
import { EMPTY, joinWords } from "./word.ts";

/** An assignment in front of a command; it holds for that command only. */
export const readAssignment = ({ name, value }: Written, reader: Reader): Assignment => ({
  name,
  value: value.type === "ArrayValue" ? null : (readValue(value, reader)[0] ?? null),
});

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
  else assignList(reader.variables, name, joined, true);
};

/** The variable of a `for` or `select`, which may be any of its words. */
export const bindLoop = ({ name, wordlist }: For | Select, reader: Reader): void => {
  if (wordlist !== undefined) assign(reader.variables, name.text, readWords(wordlist, reader), true);
};
