/** A copy of the database as it stands at one instant, made beside the process that writes to it. */

import { closeSync, existsSync, fsyncSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import { isReplica, nameIn } from "./base/connect.ts";
import { ownSchema } from "./base/migrations.ts";

export type SnapshotResult =
  | { readonly kind: "taken"; readonly schema: number }
  /** One sentence with the remedy. */
  | { readonly kind: "failed"; readonly message: string };

/**
 * `directory` is PARLEY_DATA, `target` the path of a file that does not exist yet. Of any schema: what an older Parley
 * left can be saved before the upgrade. On disk when it is answered; pages that held erased rows are not copied.
 */
export const takeSnapshot = (directory: string, target: string): SnapshotResult =>
  reading(nameIn(directory), (db) => {
    // The copy is made row by row, and takes this over: else pages that were split keep rows twice, and what is forgotten in a
    // restored database stays between them.
    db.pragma("secure_delete = ON");
    db.prepare("VACUUM INTO ?").run(target);
    if (isReplica(db)) standAlone(target);
    sync(target);
    return null;
  });

/** Whether a file is a whole database of Parley: every page is read. */
export const checkSnapshot = (name: string): SnapshotResult =>
  reading(name, (db) => {
    const found = String(db.pragma("integrity_check(1)", { simple: true }));
    return found === "ok" ? null : `${name} is damaged: ${found}`;
  });

/** Which schema the database of `directory` has, whatever version wrote it; null where there is none yet. Changes nothing. */
export const readSchema = (directory: string): SnapshotResult | null => {
  const name = nameIn(directory);
  return existsSync(name) ? reading(name, () => null, "read") : null;
};

/** `use` answers what is wrong, or null. */
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

/** A copy of a replica is a database of its own. */
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
