/**
 * Allows one Parley process per data directory. The operating system holds the lock, through an exclusive transaction on an
 * empty SQLite file next to the database. The lock ends with the process in any case, and leaves the database open to readers
 * such as backups.
 */

import { chmodSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { isBusy } from "./write.ts";

export type Lock =
  | { readonly kind: "taken"; readonly release: () => void }
  | { readonly kind: "refused"; readonly message: string };

/** Throws if the lock file cannot be created. */
export const takeLock = (directory: string): Lock => {
  const name = join(directory, "parley.lock");
  const file = new Database(name, { timeout: 0 });
  try {
    file.exec("BEGIN EXCLUSIVE");
    chmodSync(name, 0o600);
  } catch (error) {
    file.close();
    if (!(error instanceof Database.SqliteError) || !isBusy(error)) throw error;
    return { kind: "refused", message: `another Parley process uses ${directory}` };
  }
  return { kind: "taken", release: () => void file.close() };
};
