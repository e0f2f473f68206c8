/** A consistent copy of the database, made while another process may write to it. */

import { closeSync, existsSync, fsyncSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import { isReplica, nameIn } from "./base/connect.ts";
import { ownSchema } from "./base/migrations.ts";

export type SnapshotResult =
  | { readonly kind: "taken"; readonly schema: number }
  /** Sentence with a remedy, for the operator. */
  | { readonly kind: "failed"; readonly message: string };

/** `target` must not exist. Any schema is copied, so that data can be saved before an upgrade. The copy is synced to disk. */
export const takeSnapshot = (directory: string, target: string): SnapshotResult =>
  reading(nameIn(directory), (db) => {
    // The copy is made row by row and inherits this setting. Without it, split pages keep rows twice, and erased rows stay
    // between the rows of a restored database.
    db.pragma("secure_delete = ON");
    db.prepare("VACUUM INTO ?").run(target);
    if (isReplica(db)) standAlone(target);
    sync(target);
    return null;
  });

/** Whether a file is an undamaged database of Parley; reads every page. */
export const checkSnapshot = (name: string): SnapshotResult =>
  reading(name, (db) => {
    const found = String(db.pragma("integrity_check(1)", { simple: true }));
    return found === "ok" ? null : `${name} is damaged: ${found}`;
  });

/** Null if there is no database. Reads any schema and changes nothing. */
export const readSchema = (directory: string): SnapshotResult | null => {
  const name = nameIn(directory);
  return existsSync(name) ? reading(name, () => null, "read") : null;
};

/** `use` returns a problem, or null. */
const reading = (
  name: string,
  use: (db: Database.Database) => string | null,
  verb: "copied" | "read" = "copied",
): SnapshotResult => {
  try {
    const db = new Database(name, { readonly: true, fileMustExist: true });
    try {
      const schema = ownSchema(db, name);
      if (schema.kind === "refused") return { kind: "failed", message: schema.message };
      const problem = use(db);
      return problem === null
        ? { kind: "taken", schema: schema.version }
        : { kind: "failed", message: problem };
    } finally {
      db.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "failed", message: `${name} cannot be ${verb}: ${why}` };
  }
};

const standAlone = (target: string): void => {
  const copy = new Database(target);
  copy.exec("DROP TABLE replica");
  for (const table of ["members", "homes"])
    if (copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== undefined)
      copy.exec(`DELETE FROM ${table}`);
  copy.close();
};

const sync = (path: string): void => {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
};
