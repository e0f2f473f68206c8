/** Connections to the database file. */

import { join } from "node:path";
import Database from "better-sqlite3";
import { isCurrent, migrate } from "./migrations.ts";

export type ConnectedDatabase =
  | { readonly kind: "connected"; readonly db: Database.Database }
  | { readonly kind: "refused"; readonly message: string };

/** Milliseconds that a write waits for another connection, such as a backup, before it fails. */
export const BUSY_TIMEOUT = 5_000;
/** Bytes that the write-ahead log keeps on disk after a checkpoint. */
const WAL_KEPT = 16 * 1024 * 1024;
/**
 * Pages after which the log is brought into the database: steps come back to the same pages, and the more of them
 * the log holds, the fewer are written twice.
 */
const CHECKPOINT_AFTER = 4_000;
/** Kibibytes of pages in memory: more than a transaction of many steps changes, which else is written in parts. */
const CACHE = 16 * 1024;

/** The database of a data directory. */
export const nameIn = (directory: string): string => join(directory, "parley.sqlite");

/**
 * Migrated, and set to lose nothing that it has acknowledged. A file that is refused has not been changed. Throws
 * SqliteError where it cannot be read or written.
 */
export const connectDatabase = (name: string): ConnectedDatabase =>
  checked(new Database(name, { timeout: BUSY_TIMEOUT }), (db) => {
    // What is erased is overwritten, not only left out (D8); what a migration moves, too.
    db.pragma("secure_delete = ON");
    const migrated = migrate(db, name);
    if (migrated.kind === "ready") harden(db);
    return migrated;
  });

/** Reads beside the process that writes. Throws SqliteError where the file is missing or cannot be read. */
export const connectForReading = (name: string): ConnectedDatabase =>
  checked(new Database(name, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT }), (db) =>
    isCurrent(db, name),
  );

/** Its rows are those of a database that several hosts share. */
export const isReplica = (db: Database.Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'replica'").get() !== undefined;

/** A number for a new row behind the last one of its table; null: the next one. */
type NextNumber = (last: number | null) => number | null;

/** SQL's `numbered(last)`, of this connection. */
export const setNumbering = (db: Database.Database, next: NextNumber): void => {
  db.function("numbered", (last) => next(typeof last === "number" ? last : null));
};

/** Ends the connection unless it passed. */
const checked = (
  db: Database.Database,
  check: (db: Database.Database) => ReturnType<typeof migrate>,
): ConnectedDatabase => {
  try {
    setNumbering(db, () => null);
    const result = check(db);
    if (result.kind === "ready") return { kind: "connected", db };
    db.close();
    return result;
  } catch (error) {
    db.close();
    throw error;
  }
};

/** Loses nothing that it has acknowledged. */
export const harden = (db: Database.Database): void => {
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  db.pragma("trusted_schema = OFF");
  db.pragma(`journal_size_limit = ${WAL_KEPT}`);
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_AFTER}`);
  // What undoes a savepoint: on disk it would double what a step writes.
  db.pragma("temp_store = MEMORY");
  db.pragma(`cache_size = -${CACHE}`);
};
