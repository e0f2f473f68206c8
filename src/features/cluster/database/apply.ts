/**
 * Brings rows of the database into a replica, in any order: each is what it is now. Where rows of different times would
 * contradict each other the one that is given stays, and what it displaced is among those that are still to come.
 */

import type { Database, Statement } from "better-sqlite3";
import { type RemoteRow, type Shape, shapesOf } from "./shapes.ts";

type Row = NonNullable<RemoteRow["row"]>;

/**
 * In the transaction that is open, on a connection that checks no references. Throws where a row does not fit the tables,
 * which are strict.
 */
export const createApply = (db: Database): ((rows: readonly RemoteRow[]) => void) => {
  const forms = new Map(shapesOf(db).map((shape) => [shape.table, createForm(db, shape)]));
  const searched = createSearched(db);
  return (rows) => {
    const reached = searched.reached();
    for (const { table, key, row } of rows) {
      const form = forms.get(table);
      if (form === undefined) throw new Error(`there is no table ${table}`);
      if (row === null) {
        searched.forget(table, key[0]);
        form.remove(key);
      } else if (!form.isChanged(row)) {
        const isNew = table === "messages" && Number(row["rowid"]) > reached;
        if (!isNew) searched.forget(table, key[0]);
        form.put(row);
        if (!isNew) searched.list(table, key[0]);
      }
    }
  };
};

/** Statements for rows of a table, which have the same columns one after the other unless the schema was changed meanwhile. */
const createForm = (db: Database, { table, key, columns }: Shape) => {
  let form: { readonly of: string; readonly put: Statement; readonly change: Statement | null } | null = null;
  let removal: Statement | null = null;
  const formOf = (row: Row): NonNullable<typeof form> => {
    const names = Object.keys(row);
    const of = names.join();
    if (form?.of === of) return form;
    const unknown = names.find((name) => !columns.includes(name));
    if (unknown !== undefined) throw new Error(`${table} has no column ${unknown}`);
    const others = names.filter((name) => !["rowid", "id", "title"].includes(name));
    form = {
      of,
      put: db.prepare(
        `INSERT OR REPLACE INTO "${table}" ("${names.join('", "')}") VALUES (${names.map(() => "?").join(", ")})`,
      ),
      change:
        table === "conversations"
          ? db.prepare(
              `UPDATE conversations SET ${others.map((name) => `"${name}" = @${name}`).join(", ")}
              WHERE id = @id AND rowid = @rowid AND title = @title`,
            )
          : null,
    };
    return form;
  };
  return {
    put: (row: Row): void => void formOf(row).put.run(...Object.values(row)),
    /** A step of a conversation leaves its title as it was, and so what is found of it. */
    isChanged: (row: Row): boolean => formOf(row).change?.run(row).changes === 1,
    remove: (values: RemoteRow["key"]): void => {
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
  const again = db.prepare(
    "INSERT INTO unsearched (conversation, message) SELECT conversation, id FROM messages WHERE id = ? AND words IS NOT NULL",
  );
  const reached = db.prepare<[], number>("SELECT message FROM search_reached").pluck();
  return {
    /** Behind this one messages are found by their place. */
    reached: (): number => reached.get() ?? 0,
    forget: (table: string, id: unknown): void => {
      if (table === "conversations") for (const statement of titles) statement.run(id);
      if (table === "messages") for (const statement of messages) statement.run(id);
    },
    list: (table: string, id: unknown): void => {
      if (table === "messages") again.run(id);
    },
  };
};
