/**
 * Opens the data directory's database: one process at a time, readable by its owner alone, every commit on the
 * disk before it is answered (`synchronous=FULL`), so that an acknowledged approval survives power loss.
 */

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Log, Store } from "../runtime/ports.ts";
import { takeLock } from "./lock.ts";
import { migrate } from "./migrations.ts";
import { silent } from "./silent.ts";
import { createStore } from "./store.ts";

export type OpenedStore =
  | { readonly kind: "open"; readonly store: Store }
  /** One sentence that names the file and the remedy. */
  | { readonly kind: "failed"; readonly message: string };

/** Milliseconds that a write waits for another connection, such as a backup, before it fails. */
const BUSY_TIMEOUT = 5_000;
/** Bytes that the write-ahead log keeps on disk after a checkpoint. */
const WAL_KEPT = 16 * 1024 * 1024;

/** `directory` (PARLEY_DATA) is made with mode 0700 where it does not exist; the database has mode 0600. */
export const openStore = (directory: string, log: Log = silent): OpenedStore => {
  const name = join(directory, "parley.sqlite");
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const lock = takeLock(directory);
    if (lock.kind === "refused") return { kind: "failed", message: lock.message };
    return openLocked(name, log, lock.release);
  } catch (error) {
    return { kind: "failed", message: explain(name, error) };
  }
};

/** A store that ends with `close`, for tests and trials: the same code without a file. */
export const openMemoryStore = (log: Log = silent): Store => {
  const db = new Database(":memory:");
  migrate(db, ":memory:");
  db.pragma("foreign_keys = ON");
  return createStore(db, log, () => void db.close());
};

/** Nothing else in this process has the file open: closing a second descriptor would drop SQLite's locks. */
const openLocked = (name: string, log: Log, release: () => void): OpenedStore => {
  let db: Database.Database | null = null;
  const close = () => {
    db?.close();
    release();
  };
  try {
    writeFileSync(name, "", { flag: "a", mode: 0o600 });
    chmodSync(name, 0o600);
    db = new Database(name, { timeout: BUSY_TIMEOUT });
    const migrated = migrate(db, name);
    if (migrated.kind === "refused") {
      close();
      return { kind: "failed", message: migrated.message };
    }
    harden(db);
    return { kind: "open", store: createStore(db, log, close) };
  } catch (error) {
    close();
    return { kind: "failed", message: explain(name, error) };
  }
};

const harden = (db: Database.Database): void => {
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  db.pragma("trusted_schema = OFF");
  db.pragma(`journal_size_limit = ${WAL_KEPT}`);
};

const explain = (name: string, error: unknown): string => {
  if (!(error instanceof Error)) return `${name} cannot be opened: ${String(error)}`;
  const code = "code" in error ? String(error.code) : "";
  if (code === "SQLITE_NOTADB")
    return `${name} is not a database of Parley, or its first page is damaged. ${RESTORE}`;
  if (code.startsWith("SQLITE_CORRUPT")) return `${name} is damaged. ${RESTORE}`;
  if (code === "SQLITE_FULL") return `${name} cannot be opened: the disk is full.`;
  return `${name} cannot be opened: ${error.message}.`;
};

const RESTORE = "Restore a backup, or move the file away to start empty.";
