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
/** Pages in the log before a checkpoint: steps change the same pages again, so a longer log writes fewer pages twice. */
const CHECKPOINT_AFTER = 4_000;
/** Kibibytes of cached pages: SQLite writes a transaction with more changed pages in parts. */
const CACHE = 16 * 1024;

export const nameIn = (directory: string): string => join(directory, "parley.sqlite");

/** A refused file is not changed. Throws SqliteError if the file cannot be read or written. */
export const connectDatabase = (name: string): ConnectedDatabase =>
  checked(new Database(name, { timeout: BUSY_TIMEOUT }), (db) => {
    // Overwrites erased data instead of only unlinking it (D8), also during a migration.
    db.pragma("secure_delete = ON");
    const migrated = migrate(db, name);
    if (migrated.kind === "ready") harden(db);
    return migrated;
  });

/** Another process may write at the same time. Throws SqliteError if the file is missing or cannot be read. */
export const connectForReading = (name: string): ConnectedDatabase =>
  checked(new Database(name, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT }), (db) =>
    isCurrent(db, name),
  );

export const isReplica = (db: Database.Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'replica'").get() !== undefined;

/** Null leaves the number to SQLite. */
type NextNumber = (last: number | null) => number | null;

export const setNumbering = (db: Database.Database, next: NextNumber): void => {
  db.function("numbered", (last) => next(typeof last === "number" ? last : null));
};

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

/** Ensures that the connection loses no acknowledged write. */
export const harden = (db: Database.Database): void => {
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  db.pragma("trusted_schema = OFF");
  db.pragma(`journal_size_limit = ${WAL_KEPT}`);
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_AFTER}`);
  // Undo data of savepoints: on disk it would double the writes of a step.
  db.pragma("temp_store = MEMORY");
  db.pragma(`cache_size = -${CACHE}`);
};
