/** The operator's table of owners (PARLEY_CODEOWNERS): JSON, comments allowed. Every problem names its line. */

import type { Node } from "jsonc-parser";
import { meant, readJsonFile } from "../../model/json-file.ts";
import { OWNER } from "../../text/code-owners.ts";
import { nearest } from "../../text/nearest.ts";
import { ANY_APPROVER, EVERY_OTHER, type OwnerTable } from "../../thread/owners.ts";

type Read =
  | { readonly kind: "table"; readonly table: OwnerTable }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

const VARIABLE = "PARLEY_CODEOWNERS";

export const readOwnersFile = (path: string): Read => {
  const read = readJsonFile(path, VARIABLE);
  if (read.kind === "invalid") return read;
  const { tree, at } = read;
  const problem = (node: Node, what: string): string => `${at(node.offset)}: ${what}`;
  if (tree.type !== "object")
    return { kind: "invalid", problems: [problem(tree, "the file is no object of owners and ids")] };
  const table = new Map<string, readonly string[]>();
  const problems: string[] = [];
  for (const { children: [key, held] = [] } of tree.children ?? []) {
    if (key === undefined || held === undefined) continue;
    const owner = String(key.value);
    const shown = JSON.stringify(owner.slice(0, 60));
    if (owner !== EVERY_OTHER && !OWNER.test(owner)) {
      const known = OWNER.test(`@${owner}`) ? `@${owner.slice(0, 60)}` : null;
      problems.push(
        problem(key, `${shown} is no owner (@login, @org/team, an e-mail address or *)${meant(known)}`),
      );
    } else if (table.has(owner.toLowerCase())) problems.push(problem(key, `${shown} stands there twice`));
    const ids = held.type === "array" ? (held.children ?? []) : [held];
    if (ids.length === 0) problems.push(problem(held, `${shown} has no id`));
    for (const id of ids) {
      const text = typeof id.value === "string" ? id.value : "";
      if (!ID.test(text))
        problems.push(problem(id, `${shown} needs ids such as ${SUCH}${meant(closest(text))}`));
    }
    table.set(
      owner.toLowerCase(),
      ids.map(({ value }) => String(value)),
    );
  }
  return problems.length === 0 ? { kind: "table", table } : { kind: "invalid", problems };
};

const ID =
  /^(?:slack:[UW][A-Z0-9]+|slack:group:S[A-Z0-9]+|discord:(?:role:)?\d{15,25}|console:operator|approvers)$/;

const SUCH = "slack:U…, slack:group:S…, discord:ID, discord:role:ID, console:operator or approvers";

/** Of a word that was mistyped, never of the id itself. */
const closest = (text: string): string | null => {
  const whole = ["console:operator", ANY_APPROVER];
  const head = nearest(text.replace(/[^:]*$/, ""), ["slack:", "slack:group:", "discord:", "discord:role:"]);
  return (
    nearest(text, whole) ??
    (head === null || text.startsWith(head) || !text.includes(":") ? null : `${head}…`)
  );
};
