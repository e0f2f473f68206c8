/** Stores in memory, written on the connection itself. */

import Sqlite from "better-sqlite3";
import { connect, setNumbering } from "../../src/store/connect.ts";
import { silentLog } from "../../src/store/silent-log.ts";
import { type Opened, portsOf } from "../../src/store/sqlite.ts";
import { createBatch } from "../../src/store/write/batch.ts";
import type { StartWriter } from "../../src/store/write/writer.ts";

/** The event loop waits. */
export const writeHere: StartWriter = (_, db, parts) => {
  const batch = createBatch(db, parts);
  return { run: (jobs) => Promise.resolve(batch(jobs)), close: () => Promise.resolve() };
};

/** Of the first one: to migrate each anew takes longer than most tests. */
let migrated: Buffer | undefined;

export const openMemory = (log = silentLog, start = writeHere): Opened =>
  portsOf(":memory:", open(), log, start, () => {});

const open = (): Sqlite.Database => {
  if (migrated !== undefined) {
    const db = new Sqlite(migrated);
    setNumbering(db, () => null);
    db.pragma("secure_delete = ON");
    db.pragma("foreign_keys = ON");
    return db;
  }
  const connected = connect(":memory:");
  if (connected.kind === "refused") throw new Error(connected.message);
  migrated = connected.db.serialize();
  return connected.db;
};
