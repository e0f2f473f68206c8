/** Opened stores and temporary directories that end with the test. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { expect, onTestFinished } from "vitest";
import type { Log } from "../../src/ports/host.ts";
import type { Store } from "../../src/ports/store.ts";
import { connect } from "../../src/store/connect.ts";
import { createApply } from "../../src/store/cluster/apply.ts";
import { createCapture } from "../../src/store/cluster/capture.ts";
import { sharedIn } from "../../src/store/cluster/shapes.ts";
import { tablesOf } from "../../src/store/tables.ts";
import { silentLog } from "../../src/store/silent-log.ts";
import { openStore, portsOf } from "../../src/store/sqlite.ts";
import { type Beside, besideOf } from "./beside.ts";
import { writeHere } from "./in-memory.ts";

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
): Beside & { readonly db: Database } => {
  const connected = connect(name);
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  onTestFinished(() => void db.close());
  if (name === ":memory:") replicate(db);
  return { db, ...besideOf(db, tablesOf(db, log)) };
};

/**
 * Whatever a test of the store does holds for hosts that share a database, too: what is captured of its writes makes
 * another store the same. (test/store/cluster sends it through PostgreSQL.)
 */
const replicate = (db: Database): void => {
  const capture = createCapture(db);
  onTestFinished(() => {
    if (!db.open || db.inTransaction) return;
    const other = connect(":memory:");
    if (other.kind === "refused") throw new Error(other.message);
    other.db.pragma("foreign_keys = OFF");
    other.db.exec("DELETE FROM notes");
    const fresh = db.prepare("SELECT name, value FROM notes WHERE name = 'feedback-key'").get();
    other.db.prepare("INSERT INTO notes VALUES (@name, @value)").run(fresh);
    createApply(other.db)(
      capture().map(({ table, key, body }) => ({
        table,
        key: JSON.parse(key),
        row: JSON.parse(body ?? "null"),
      })),
    );
    const tables = sharedIn(db);
    expect(rowsOf(other.db, tables)).toEqual(rowsOf(db, tables));
    other.db.close();
  });
};

const rowsOf = (db: Database, tables: readonly string[]): unknown =>
  tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]);

/** The ports over a database of this thread, and what stands beside it. */
export const openGrouped = (name = ":memory:") => {
  const { db, ...direct } = openWithConnection(name);
  return { db, direct, ...portsOf(name, db, silentLog, writeHere, () => {}) };
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
