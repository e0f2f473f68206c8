/** Which tables hosts share, and what a row of each is called and holds. */

import type { Database } from "better-sqlite3";
import * as z from "zod";

/** Every table of the store that is not here is in `LOCAL`. */
export const SHARED = [
  "alerts",
  "announcements",
  "answers",
  "bindings",
  "budgets",
  "channels",
  "claims",
  "conversations",
  "cursors",
  "deliveries",
  "digests",
  "events",
  "heard",
  "inbox",
  "instructions",
  "loose_blobs",
  "messages",
  "notes",
  "participants",
  "posts",
  "prefixes",
  "questions",
  "replies",
  "review_cards",
  "solved",
  "spent",
  "threads",
  "unbound",
  "votes",
  "watch_threads",
  "watches",
] as const;

/** The search index, which each host makes of its own rows, and how far the replica is. */
export const LOCAL = ["replica", "search", "search_reached", "searched", "unsearched"] as const;

export type SharedTable = (typeof SHARED)[number];

export interface Shape {
  readonly table: SharedTable;
  readonly key: readonly string[];
  /** With `rowid` where rows are kept in the order in which they came and no column says it. */
  readonly columns: readonly string[];
}

export interface Change {
  readonly table: SharedTable;
  /** JSON array. */
  readonly key: string;
  /** JSON object; null: deleted. */
  readonly body: string | null;
}

const columnRow = z.object({ name: z.string(), type: z.string(), pk: z.number() });
const tableRow = z.object({ wr: z.number() });

export const shapesOf = (db: Database): readonly Shape[] => SHARED.map((table) => shapeOf(db, table));

const shapeOf = (db: Database, table: SharedTable): Shape => {
  const columns = z.array(columnRow).parse(db.pragma(`table_info("${table}")`));
  const [listed] = z.array(tableRow).parse(db.pragma(`table_list("${table}")`));
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const isNumbered = listed?.wr === 1 || (key.length === 1 && key[0]?.type === "INTEGER");
  return {
    table,
    key: key.map(({ name }) => name),
    columns: [...(isNumbered ? [] : ["rowid"]), ...columns.map(({ name }) => name)],
  };
};

/** The body of a row by its key. */
export const createReadBody = (db: Database, { table, key, columns }: Shape) => {
  const select = db.prepare(
    `SELECT ${columns.map((name) => `"${name}"`).join(", ")} FROM "${table}" WHERE ${key.map((name) => `"${name}" = ?`).join(" AND ")}`,
  );
  return (values: readonly unknown[]): string | null => {
    const row = select.get(...values);
    return row === undefined ? null : JSON.stringify(row);
  };
};
