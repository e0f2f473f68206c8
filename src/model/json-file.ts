/** A file of the operator's: JSON, comments allowed, with the places of what stands in it. */

import { readFileSync } from "node:fs";
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

type Read =
  | {
      readonly kind: "json";
      readonly tree: Node;
      readonly value: unknown;
      /** A place as people find it: the file and the line. */
      readonly at: (offset: number) => string;
    }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** `variable`: the setting that names it. */
export const readJsonFile = (path: string, variable: string): Read => {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    return { kind: "invalid", problems: [`${variable}: ${path} cannot be read (${code})`] };
  }
  const at = (offset: number): string => `${path}:${text.slice(0, offset).split("\n").length}`;
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [broken] = errors;
  if (broken === undefined && tree !== undefined) return { kind: "json", tree, value: valueOf(tree), at };
  const why = broken === undefined ? "ValueExpected" : printParseErrorCode(broken.error);
  return { kind: "invalid", problems: [`${at(broken?.offset ?? 0)}: is no JSON (${why})`] };
};

const valueOf = ({ type, children = [], value }: Node): unknown => {
  if (type === "array") return children.map(valueOf);
  if (type !== "object") return value;
  return Object.fromEntries(
    children.flatMap(({ children: [key, held] = [] }) =>
      key === undefined || held === undefined ? [] : [[String(key.value), valueOf(held)]],
    ),
  );
};

export const meant = (name: string | null): string => (name === null ? "" : `; did you mean ${name}?`);
