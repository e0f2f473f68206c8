/** Opened stores and temporary directories that end with the test. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { onTestFinished } from "vitest";
import type { Log } from "../../src/ports/host.ts";
import type { Store } from "../../src/ports/store.ts";
import { connect } from "../../src/store/connect.ts";
import { tablesOf } from "../../src/store/tables.ts";
import { silentLog } from "../../src/store/silent-log.ts";
import { openStore } from "../../src/store/sqlite.ts";
import type { Parts } from "../../src/store/write/direct.ts";
import { createGroup } from "../../src/store/write/group.ts";
import { createGroupedPorts } from "../../src/store/write/grouped.ts";
import { writeHere } from "../../src/store/write/writer.ts";

export const temporary = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "parley-store-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

export const openAt = (directory: string, log?: Log): Store => {
  const opened = openStore(directory, log);
  if (opened.kind === "failed") throw new Error(opened.message);
  onTestFinished(() => opened.store.close());
  return opened.store;
};

/** What stands beside the database, with its connection: to make the disk refuse or to look at rows. */
export const openWithConnection = (
  name = ":memory:",
  log: Log = silentLog,
): Parts & { readonly db: Database } => {
  const connected = connect(name);
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  onTestFinished(() => void db.close());
  return { db, ...tablesOf(db, log) };
};

/** The ports over a database of this thread, and what stands beside it. */
export const openGrouped = (name = ":memory:") => {
  const { db, ...direct } = openWithConnection(name);
  const group = createGroup(writeHere(name, db, direct));
  const close = (): Promise<void> => group.close(() => direct.store.close());
  return {
    db,
    direct,
    ...createGroupedPorts(direct, group, close),
  };
};

/** Every row of every table, to tell whether anything at all has changed. */
export const dump = (db: Database): unknown =>
  TABLES.map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all());

const TABLES = [
  "prefixes",
  "conversations",
  "messages",
  "events",
  "questions",
  "posts",
  "claims",
  "threads",
  "deliveries",
  "inbox",
  "bindings",
  "participants",
  "heard",
];

export const listening = (): { log: Log; errors: string[] } => {
  const errors: string[] = [];
  const error: Log["error"] = (message, fields) => void errors.push(`${message} ${JSON.stringify(fields)}`);
  return { log: { ...silentLog, error }, errors };
};
