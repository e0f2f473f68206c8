/**
 * Whatever a test of the store does holds for hosts that share a database, too: what is captured of its writes makes
 * another store the same. (test/features/cluster/database sends it through PostgreSQL.)
 */

import type { Database } from "better-sqlite3";
import { expect } from "vitest";
import { createApply } from "../../../src/features/cluster/database/apply.ts";
import { createCapture } from "../../../src/features/cluster/database/capture.ts";
import { sharedIn } from "../../../src/features/cluster/database/shapes.ts";
import { connectDatabase } from "../../../src/store/base/connect.ts";
import type { EachStore } from "../../store/kit.ts";

export const watchStore: EachStore["watchStore"] = (db) => {
  const capture = createCapture(db);
  return () => {
    if (!db.open || db.inTransaction) return;
    const other = connectDatabase(":memory:");
    if (other.kind === "refused") throw new Error(other.message);
    other.db.pragma("foreign_keys = OFF");
    other.db.exec("DELETE FROM notes");
    const fresh = db.prepare("SELECT name, value FROM notes WHERE name = 'feedback-key'").get();
    other.db.prepare("INSERT INTO notes VALUES (@name, @value)").run(fresh);
    createApply(other.db)(
      capture().map(({ table, key, body }) => ({
        table,
        key: JSON.parse(key),
        row: JSON.parse(body ?? "null"),
      })),
    );
    const tables = sharedIn(db);
    expect(rowsOf(other.db, tables)).toEqual(rowsOf(db, tables));
    other.db.close();
  };
};

const rowsOf = (db: Database, tables: readonly string[]): unknown =>
  tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]);
