/**
 * Opens the store of a data directory: one process at a time, readable by its owner alone, every commit on the
 * disk before it is answered, so that an acknowledged approval survives power loss.
 */

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Log, Store } from "../runtime/ports.ts";
import { connect } from "./connect.ts";
import { takeLock } from "./lock.ts";
import { silent } from "./silent.ts";
import { createStore } from "./store.ts";

export type OpenedStore =
  | { readonly kind: "open"; readonly store: Store }
  /** Names the file or the directory, and the remedy where there is one. */
  | { readonly kind: "failed"; readonly message: string };

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
  const connected = connect(":memory:");
  if (connected.kind === "refused") throw new Error(connected.message);
  return createStore(connected.db, log, () => void connected.db.close());
};

const openLocked = (name: string, log: Log, release: () => void): OpenedStore => {
  try {
    claimFile(name);
    const connected = connect(name);
    if (connected.kind === "connected") {
      const { db } = connected;
      const close = () => {
        db.close();
        release();
      };
      return { kind: "open", store: createStore(db, log, close) };
    }
    release();
    return { kind: "failed", message: connected.message };
  } catch (error) {
    release();
    return { kind: "failed", message: explain(name, error) };
  }
};

/**
 * SQLite gives its other files the mode of this one. Done under the lock and before SQLite opens the file: closing
 * a second descriptor of it would drop the locks of this process.
 */
const claimFile = (name: string): void => {
  writeFileSync(name, "", { flag: "a", mode: 0o600 });
  chmodSync(name, 0o600);
};

const explain = (name: string, error: unknown): string => {
  if (!(error instanceof Error)) throw error;
  const code = "code" in error ? String(error.code) : "";
  if (code === "SQLITE_NOTADB")
    return `${name} is no SQLite database, or its first page is damaged. ${RESTORE}`;
  if (code.startsWith("SQLITE_CORRUPT")) return `${name} is damaged. ${RESTORE}`;
  if (code === "SQLITE_FULL") return `${name} cannot be opened: the disk is full.`;
  return `${name} cannot be opened: ${error.message}`;
};

const RESTORE = "Restore a backup, or move the file away to start empty.";
