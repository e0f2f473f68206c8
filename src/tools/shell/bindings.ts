/** Assignments: read from syntax into the script's variables. */
import type { Assignment } from "./command.ts";
import { type Reader, readValue, readWords } from "./expand.ts";
import type { Syntax } from "./grammar.ts";
import { assign, assignList } from "./variables.ts";
import { joinWords } from "./word.ts";

/** An assignment in front of a command; it holds for that command only. */
export const readAssignment = (node: Syntax, reader: Reader): Assignment => {
  const { name, value } = assignmentParts(node, reader);
  return { name, value: value?.type === "array" ? null : (readValue(value, reader)[0] ?? null) };
};

const assignmentParts = (
  node: Syntax,
  reader: Reader,
): { readonly name: string; readonly value: Syntax | null; readonly append: boolean } => {
  const [target, operator, value] = node.children;
  const name = target?.type === "subscript" ? target.children[0] : target;
  return {
    name: name === undefined ? "" : reader.source.slice(name.start, name.end),
    value: value ?? null,
    append: operator?.type === "+=",
  };
};

/** `NAME=value`, `NAME+=value` and `NAME=(…)` as commands of their own. */
export const bind = (node: Syntax, certain: boolean, reader: Reader): void => {
  const { name, value, append } = assignmentParts(node, reader);
  if (value?.type === "array") {
    assignList(reader.variables, name, readWords(value.children.filter(isElement), reader), append);
    return;
  }
  const values = readValue(value, reader);
  const before = append ? reader.variables.get(name) : undefined;
  const heads = before?.kind === "scalar" ? before.values : [{ pieces: [] }];
  const joined = heads.flatMap((head) => values.map((tail) => joinWords([head, tail], "")));
  assign(reader.variables, name, joined, certain);
};

const isElement = ({ type }: Syntax): boolean => type !== "(" && type !== ")" && type !== "comment";

/** The variable of a `for` or `select`, which may be any of its words. */
export const bindLoop = (node: Syntax, reader: Reader): void => {
  const [, variable, into, ...rest] = node.children;
  if (variable === undefined || into?.type !== "in") return;
  const end = rest.findIndex(({ type }) => type === ";" || type === "\n" || type === "do_group");
  const words = readWords(end === -1 ? rest : rest.slice(0, end), reader);
  assign(reader.variables, reader.source.slice(variable.start, variable.end), words, true);
};
