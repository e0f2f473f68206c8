/**
 * One Parley process a data directory. The lock is the operating system's, taken through an exclusive transaction
 * on an empty SQLite file beside the database: it ends with the process however that ends, and leaves the
 * database itself open to readers such as backups.
 */

import { chmodSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { isBusy } from "./write.ts";

export type Lock =
  | { readonly kind: "taken"; readonly release: () => void }
  | { readonly kind: "refused"; readonly message: string };

/** Throws where the lock file cannot be made. */
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
