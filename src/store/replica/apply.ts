/**
 * Brings rows of the database into a replica, in any order: each is what it is now. Where rows of different times would
 * contradict each other the one that is given stays, and what it displaced is among those that are still to come.
 */

import type { Database, Statement } from "better-sqlite3";
import * as z from "zod";
import { type Change, type Shape, type SharedTable, shapesOf } from "./shapes.ts";

const value = z.union([z.string(), z.number(), z.null()]);
const bodyOf = z.record(z.string(), value);
const keyOf = z.array(value);

/** In the transaction that is open, on a connection that checks no references. Throws where a row does not fit the tables. */
export const createApply = (db: Database): ((changes: readonly Change[]) => void) => {
  const shapes = new Map(shapesOf(db).map((shape) => [shape.table, shape]));
  const statements = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const searched = createSearched(db);

  const put = ({ table, columns }: Shape, body: Readonly<Record<string, unknown>>): void => {
    const names = Object.keys(body);
    const unknown = names.find((name) => !columns.includes(name));
    if (unknown !== undefined) throw new Error(`${table} has no column ${unknown}`);
    const places = names.map(() => "?").join(", ");
    const list = names.map((name) => `"${name}"`).join(", ");
    prepared(`INSERT OR REPLACE INTO "${table}" (${list}) VALUES (${places})`).run(...Object.values(body));
  };

  const change = ({ table }: Shape, { id, title: _, ...rest }: Readonly<Record<string, unknown>>): void => {
    const list = Object.keys(rest).map((name) => `"${name}" = ?`);
    prepared(`UPDATE OR REPLACE "${table}" SET ${list.join(", ")} WHERE id = ?`).run(...Object.values(rest), id);
  };

  const remove = ({ table, key }: Shape, values: readonly unknown[]): void => {
    prepared(`DELETE FROM "${table}" WHERE ${key.map((name) => `"${name}" = ?`).join(" AND ")}`).run(
      ...values,
    );
  };

  return (changes) => {
    for (const { table, key, body } of changes) {
      const shape = shapes.get(table);
      if (shape === undefined) throw new Error(`there is no table ${table}`);
      const values = keyOf.parse(JSON.parse(key));
      const row = body === null ? null : bodyOf.parse(JSON.parse(body));
      if (row !== null && searched.isTitled(table, row)) {
        change(shape, row);
        continue;
      }
      searched.forget(table, values[0]);
      if (row === null) remove(shape, values);
      else put(shape, row);
      searched.list(table, values[0]);
    }
  };
};

/**
 * What is found of a row goes with the row as it was, and is indexed again: a title by the trigger of its insertion, a
 * message because it is listed here, or because the index has not come so far.
 */
const createSearched = (db: Database) => {
  const prepared = (condition: string) =>
    ["searched", "unsearched"].map((table) => db.prepare(`DELETE FROM ${table} WHERE ${condition}`));
  const titles = prepared("conversation = ? AND message IS NULL");
  const messages = prepared("message = ?");
  const again = db.prepare(`
    INSERT INTO unsearched (conversation, message) SELECT conversation, id FROM messages
    WHERE id = ? AND words IS NOT NULL AND rowid <= (SELECT message FROM search_reached)`);
  const title = db.prepare("SELECT title FROM conversations WHERE id = ?").pluck();
  return {
    /** A step of a conversation leaves its title as it was, and so what is found of it. */
    isTitled: (table: SharedTable, row: z.output<typeof bodyOf>): boolean =>
      table === "conversations" && title.get(row["id"]) === row["title"],
    forget: (table: SharedTable, id: unknown): void => {
      if (table === "conversations") for (const statement of titles) statement.run(id);
      if (table === "messages") for (const statement of messages) statement.run(id);
    },
    list: (table: SharedTable, id: unknown): void => {
      if (table === "messages") again.run(id);
    },
  };
};
