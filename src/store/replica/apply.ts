/**
 * Brings rows of the database into a replica, in any order: each is what it is now. Where rows of different times would
 * contradict each other the one that is given stays, and what it displaced is among those that are still to come.
 */

import type { Database, Statement } from "better-sqlite3";
import type { Changed } from "../../ports/fleet/fleet.ts";
import { type Change, type Shape, type SharedTable, shapesOf } from "./shapes.ts";

type Row = Readonly<Record<string, unknown>>;

/**
 * In the transaction that is open, on a connection that checks no references. Answers the keys. Throws where a row does not
 * fit the tables, which are strict.
 */
export const createApply = (db: Database): ((changes: readonly Change[]) => readonly Changed[]) => {
  const shapes = new Map(
    shapesOf(db).map((shape) => [shape.table, { ...shape, form: createForm(db, shape) }]),
  );
  const searched = createSearched(db);
  return (changes) =>
    changes.map(({ table, key, body }) => {
      const shape = shapes.get(table);
      if (shape === undefined) throw new Error(`there is no table ${table}`);
      const values: Changed["key"] = JSON.parse(key);
      if (body === null) {
        searched.forget(table, values[0]);
        shape.form.remove(values);
        return { table, key: values };
      }
      const row: Row = JSON.parse(body);
      if (searched.isTitled(table, row)) shape.form.change(row);
      else {
        searched.forget(table, values[0]);
        shape.form.put(row);
        searched.list(table, values[0]);
      }
      return { table, key: values };
    });
};

/** Statements for rows of a table, which have the same columns one after the other unless the schema was changed meanwhile. */
const createForm = (db: Database, { table, key, columns }: Shape) => {
  let form: { readonly of: string; readonly put: Statement; readonly change: Statement } | null = null;
  let removal: Statement | null = null;
  const formOf = (row: Row): NonNullable<typeof form> => {
    const names = Object.keys(row);
    const of = names.join();
    if (form?.of === of) return form;
    const unknown = names.find((name) => !columns.includes(name));
    if (unknown !== undefined) throw new Error(`${table} has no column ${unknown}`);
    const list = names.map((name) => `"${name}"`);
    const others = names.filter((name) => name !== "title").map((name) => `"${name}" = @${name}`);
    form = {
      of,
      put: db.prepare(
        `INSERT OR REPLACE INTO "${table}" (${list.join(", ")}) VALUES (${names.map((name) => `@${name}`).join(", ")})`,
      ),
      change: db.prepare(
        `UPDATE OR REPLACE "${table}" SET ${others.join(", ")} WHERE ${key.map((name) => `"${name}" = @${name}`).join(" AND ")}`,
      ),
    };
    return form;
  };
  return {
    put: (row: Row): void => void formOf(row).put.run(row),
    /** All but the title. */
    change: (row: Row): void => void formOf(row).change.run(row),
    remove: (values: Changed["key"]): void => {
      removal ??= db.prepare(
        `DELETE FROM "${table}" WHERE ${key.map((name) => `"${name}" = ?`).join(" AND ")}`,
      );
      removal.run(...values);
    },
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
