/** One process at a time opens a directory. Each commit is on disk before its acknowledgment, and survives a power loss. */

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import type { Database } from "better-sqlite3";
import type { Log } from "../ports/host.ts";
import type { Tables } from "../ports/tables.ts";
import { createRead } from "./base/codec.ts";
import { connectDatabase, connectForReading, isReplica, nameIn } from "./base/connect.ts";
import { type Lock, takeLock } from "./base/lock.ts";
import { type StoreParts, tablesOf } from "./tables/all-tables.ts";
import { silentLog } from "./base/silent-log.ts";
import { createDecisions, type DecisionRow } from "./tables/decisions.ts";
import { createGroup } from "./write/group.ts";
import { createGroupedPorts, type StorePorts } from "./write/grouped.ts";
import type { ReadMembers } from "./base/write.ts";
import { type StartWriter, writeInThread } from "./write/writer.ts";

type Failed = { readonly kind: "failed"; readonly message: string };

type OpenStoreResult = ({ readonly kind: "open" } & StorePorts) | Failed;

/** Creates `directory` with mode 0700, its database with 0600. `held`: the directory's lock, if the caller has it already. */
export const openStore = (
  directory: string,
  tables: readonly Tables[],
  log: Log = silentLog,
  start: StartWriter = writeInThread,
  held?: Lock,
): OpenStoreResult => {
  const name = nameIn(directory);
  return orFailed(name, () => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const lock = held ?? takeLock(directory);
    if (lock.kind === "refused") return { kind: "failed", message: lock.message };
    const opened = orFailed(name, (): OpenStoreResult => {
      claimFile(name);
      const connected = connectDatabase(name);
      if (connected.kind === "refused") return { kind: "failed", message: connected.message };
      const { db } = connected;
      const isRefused = start.isFenced !== true && isReplica(db);
      if (!isRefused) return { kind: "open", ...portsOf(name, db, tables, log, start, lock.release) };
      db.close();
      return { kind: "failed", message: `${name} ${ALONE}` };
    });
    if (opened.kind === "failed") lock.release();
    return opened;
  });
};

type Opening = {
  readonly [Port in keyof StoreParts]: StoreParts[Port] extends () => unknown
    ? StoreParts[Port]
    : ReadMembers<StoreParts[Port]>;
};

/** `decisions`: every question ever asked, oldest first. */
interface OpenedForReading extends Opening {
  readonly kind: "open";
  readonly decisions: () => Iterable<DecisionRow>;
}

/** Parley may be running. Creates, changes and erases nothing. */
export const openStoreForReading = (directory: string, log: Log = silentLog): OpenedForReading | Failed => {
  const name = nameIn(directory);
  return orFailed(name, () => {
    const connected = connectForReading(name);
    if (connected.kind === "refused") return { kind: "failed", message: connected.message };
    const { db } = connected;
    return { kind: "open", ...tablesOf(db, log, []), decisions: createDecisions(db, createRead(log)) };
  });
};

const ALONE =
  "is the replica of a shared database. Set PARLEY_DATABASE; to continue with this host alone, replace the file by a backup of it.";

/** `release` is called once the connection is closed. */
export const portsOf = (
  name: string,
  db: Database,
  tables: readonly Tables[],
  log: Log,
  start: StartWriter,
  release: () => void,
): StorePorts => {
  const parts = tablesOf(db, log, tables);
  const group = createGroup(start({ name, db, parts, tables }));
  /** A separate connection of the writer closes last and moves everything into one file. */
  const close = async (): Promise<void> => {
    await group.close(() => parts.store.close());
    release();
  };
  return createGroupedPorts(parts, group, close);
};

/** SQLite copies this mode to its other files. Done before SQLite opens the file: closing a second descriptor drops locks. */
const claimFile = (name: string): void => {
  writeFileSync(name, "", { flag: "a", mode: 0o600 });
  chmodSync(name, 0o600);
};

const orFailed = <T>(name: string, open: () => T): T | Failed => {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { kind: "failed", message: explain(name, error) };
  }
};

const explain = (name: string, error: Error): string => {
  const code = "code" in error ? String(error.code) : "";
  if (code === "SQLITE_NOTADB")
    return `${name} is not an SQLite database, or the first page is damaged. ${RESTORE}`;
  if (code.startsWith("SQLITE_CORRUPT")) return `${name} is damaged. ${RESTORE}`;
  if (code === "SQLITE_FULL") return `${name} cannot be opened: the disk is full.`;
  return `${name} cannot be opened: ${error.message}`;
};

const RESTORE = "Restore a backup, or move the file away to start empty.";
