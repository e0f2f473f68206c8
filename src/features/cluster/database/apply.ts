/**
 * Applies rows of the shared database to a replica, in any order, because each row carries its current state. If two rows
 * conflict, the applied row replaces the older one; the newer state of the replaced row arrives later.
 */

import type { Database, Statement } from "better-sqlite3";
import { type RemoteRow, type Shape, shapesOf } from "./shapes.ts";

type Row = NonNullable<RemoteRow["row"]>;

/**
 * Runs in the open transaction, on a connection that checks no references. Throws if a row does not fit the tables, which are
 * strict.
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

/** Statements for the rows of a table. They are prepared again only if a row has other columns than the row before. */
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
    /**
     * Whether the row was updated in place. A step of a conversation does not change its title, so the search entries of the
     * title stay valid.
     */
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
 * Removes the search entries of a row before the row is replaced, and has the new row indexed. A trigger indexes a title when
 * it is inserted. A message is listed in `unsearched`, unless the index has not reached the message yet.
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
    /** Row id up to which messages are indexed; the indexer finds later messages by their row id. */
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
