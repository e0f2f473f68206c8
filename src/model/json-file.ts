/** A JSON file of the operator with comments. Every problem names its line, and no message contains a value. */

import { readFileSync } from "node:fs";
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { z } from "zod";
import { closestMatch } from "../text/closest-match.ts";

type Path = readonly (string | number)[];

interface Form {
  readonly setting: string;
  /** Such as `a model`. */
  readonly noun: string;
  /** Parts of a path before the name of a field. */
  readonly outer: number;
  fieldsAt(path: Path): readonly string[];
  readonly words?: Readonly<Record<string, readonly string[]>>;
}

type JsonFile<T> =
  | { readonly kind: "read"; readonly value: T; readonly at: (path: Path) => string }
  | Invalid;

interface Invalid {
  readonly kind: "invalid";
  readonly problems: readonly string[];
}

export const readJsonFile = <S extends z.ZodType>(
  path: string,
  schema: S,
  form: Form,
): JsonFile<z.output<S>> => {
  try {
    return parse(readFileSync(path, "utf8"), path, schema, form);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    return { kind: "invalid", problems: [`${form.setting}: ${path} cannot be read (${code})`] };
  }
};

const parse = <S extends z.ZodType>(
  text: string,
  path: string,
  schema: S,
  form: Form,
): JsonFile<z.output<S>> => {
  const at = (offset: number): string => `${path}:${text.slice(0, offset).split("\n").length}`;
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [broken] = errors;
  if (broken !== undefined || tree === undefined) {
    const why = broken === undefined ? "ValueExpected" : printParseErrorCode(broken.error);
    return { kind: "invalid", problems: [`${at(broken?.offset ?? 0)}: is not JSON (${why})`] };
  }
  const parsed = schema.safeParse(getNodeValue(tree));
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap((issue) => told(issue, tree, at, form));
    return { kind: "invalid", problems };
  }
  const placeOf = (place: Path): string => at(findNodeAtLocation(tree, [...place])?.offset ?? 0);
  return { kind: "read", value: parsed.data, at: placeOf };
};

/** Never quotes a value, because it may be a key. */
const told = (
  issue: z.core.$ZodIssue,
  tree: Node,
  at: (offset: number) => string,
  { noun, outer, fieldsAt, words = {} }: Form,
): readonly string[] => {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  const found = (end: number): Node | undefined => findNodeAtLocation(tree, path.slice(0, end));
  const node = found(path.length) ?? found(path.length - 1) ?? tree;
  const field = path.slice(outer).join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const place = findNodeAtLocation(tree, [...path, key]) ?? node;
      return `${at(place.offset)}: ${quoted(key)} is not a field of ${noun}${didYouMean(closestMatch(key, fieldsAt(path)))}`;
    });
  }
  const known = words[field];
  const given =
    known !== undefined && typeof node.value === "string" ? closestMatch(node.value, known) : null;
  const what =
    known === undefined ? plainly(issue.message) : `is not one of ${known.join(", ")}${didYouMean(given)}`;
  return [`${at(node.offset)}: ${field === "" ? "the file" : field} ${what}`];
};

export const didYouMean = (name: string | null): string => (name === null ? "" : `; did you mean ${name}?`);

const quoted = (key: string): string => JSON.stringify(key.slice(0, 60));

const plainly = (message: string): string => message.replace(/^Invalid input: /, "is wrong: ");
