/**
 * Brings rows of the database into a replica, in any order: each is what it is now. Where rows of different times would
 * contradict each other the one that is given stays, and what it displaced is among those that are still to come.
 */

import type { Database, Statement } from "better-sqlite3";
import * as z from "zod";
import { type Change, type Shape, type SharedTable, shapesOf } from "./shapes.ts";

/** Looked at no closer: a host has written them as SQLite gave them, and tables are strict. */
const bodyOf = z.custom<Row>((body) => typeof body === "object" && body !== null);
const keyOf = z.custom<readonly unknown[]>((key) => Array.isArray(key));
type Row = Readonly<Record<string, unknown>>;

/** What is written of rows of one table, for as long as they have the same columns. */
interface Prepared {
  readonly names: readonly string[];
  readonly statement: Statement;
}

/** In the transaction that is open, on a connection that checks no references. Throws where a row does not fit the tables. */
export const createApply = (db: Database): ((changes: readonly Change[]) => void) => {
  const shapes = new Map(shapesOf(db).map((shape) => [shape.table, shape]));
  const searched = createSearched(db);

  const preparing = (sqlOf: (shape: Shape, names: readonly string[]) => string) => {
    const known = new Map<SharedTable, Prepared>();
    return (shape: Shape, row: Row): Statement => {
      const names = Object.keys(row);
      const last = known.get(shape.table);
      if (last?.names.length === names.length && last.names.every((name, at) => name === names[at]))
        return last.statement;
      const unknown = names.find((name) => !shape.columns.includes(name));
      if (unknown !== undefined) throw new Error(`${shape.table} has no column ${unknown}`);
      const statement = db.prepare(sqlOf(shape, names));
      known.set(shape.table, { names, statement });
      return statement;
    };
  };
  const put = preparing(
    ({ table }, names) =>
      `INSERT OR REPLACE INTO "${table}" (${names.map((name) => `"${name}"`).join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
  );
  const change = preparing(
    ({ table }, names) =>
      `UPDATE OR REPLACE "${table}" SET ${names.map((name) => `"${name}" = ?`).join(", ")} WHERE id = ?`,
  );
  const removes = new Map<SharedTable, Statement>();
  const remove = ({ table, key }: Shape, values: readonly unknown[]): void => {
    const where = key.map((name) => `"${name}" = ?`).join(" AND ");
    const statement = removes.get(table) ?? db.prepare(`DELETE FROM "${table}" WHERE ${where}`);
    removes.set(table, statement);
    statement.run(...values);
  };

  return (changes) => {
    for (const { table, key, body } of changes) {
      const shape = shapes.get(table);
      if (shape === undefined) throw new Error(`there is no table ${table}`);
      const values = keyOf.parse(JSON.parse(key));
      const row = body === null ? null : bodyOf.parse(JSON.parse(body));
      if (row !== null && searched.isTitled(table, row)) {
        const { title: _, ...rest } = row;
        change(shape, rest).run(...Object.values(rest), row["id"]);
        continue;
      }
      searched.forget(table, values[0]);
      if (row === null) remove(shape, values);
      else put(shape, row).run(...Object.values(row));
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
    isTitled: (table: SharedTable, row: Row): boolean =>
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
