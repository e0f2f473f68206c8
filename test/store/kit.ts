/** Opened stores and temporary directories that end with the test. */

import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { onTestFinished } from "vitest";
import type { Log } from "../../src/ports/host.ts";
import type { Store } from "../../src/ports/store.ts";
import { connectDatabase } from "../../src/store/base/connect.ts";
import { tablesOf } from "../../src/store/tables/all-tables.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { portsOf } from "../../src/store/sqlite.ts";
import { openStore } from "./open-store.ts";
import { type Beside, besideOf } from "./beside.ts";
import { writeHere } from "./in-memory.ts";
import { TABLES } from "./tables.ts";

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
  const connected = connectDatabase(name);
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  onTestFinished(() => void db.close());
  if (name === ":memory:") for (const { watchStore } of LAWS) onTestFinished(watchStore(db));
  return { db, ...besideOf(db, tablesOf(db, log, TABLES)) };
};

/** What features ask of whatever a test of the store does, once it is over: `each-store.ts` of their folders. */
const lawsOfFeatures = async () => {
  const found = globSync("../features/*/each-store.ts", { cwd: import.meta.dirname });
  const modules = found.map((name): Promise<EachStore> => import(`./${name}`));
  return Promise.all(modules);
};

export interface EachStore {
  /** Gives the check that follows. */
  readonly watchStore: (db: Database) => () => void;
}

const LAWS = await lawsOfFeatures();

/** The ports over a database of this thread, and what stands beside it. */
export const openGrouped = (name = ":memory:") => {
  const { db, ...direct } = openWithConnection(name);
  return { db, direct, ...portsOf(name, db, TABLES, silentLog, writeHere, () => {}) };
};

/** Every row of every table, to tell whether anything at all has changed. */
export const dump = (db: Database): unknown =>
  DUMPED.map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all());

const DUMPED = [
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
