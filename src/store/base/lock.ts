/** The lock is an exclusive transaction on an empty SQLite file, so it ends with the process and blocks no readers. */

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
