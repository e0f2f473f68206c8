/** Stores in memory, written on the connection itself. */

import Sqlite from "better-sqlite3";
import { connectDatabase, setNumbering } from "../../src/store/base/connect.ts";
import { silentLog } from "../../src/store/base/silent-log.ts";
import { portsOf } from "../../src/store/sqlite.ts";
import type { StorePorts } from "../../src/store/write/grouped.ts";
import { createBatch } from "../../src/store/write/batch.ts";
import type { StartWriter } from "../../src/store/write/writer.ts";
import { TABLES } from "./tables.ts";

/** The event loop waits. */
export const writeHere: StartWriter = ({ db, parts }) => {
  const batch = createBatch(db, parts);
  return { run: (jobs) => Promise.resolve(batch(jobs)), close: () => Promise.resolve() };
};

/** Of the first one: to migrate each anew takes longer than most tests. */
let migrated: Buffer | undefined;

/** `from`: the serialized content of another store. */
export const openMemory = (log = silentLog, start = writeHere, from?: Buffer): StorePorts =>
  portsOf(":memory:", open(from), TABLES, log, start, () => {});

const open = (from = migrated): Sqlite.Database => {
  if (from !== undefined) {
    const db = new Sqlite(from);
    setNumbering(db, () => null);
    db.pragma("secure_delete = ON");
    db.pragma("foreign_keys = ON");
    return db;
  }
  const connected = connectDatabase(":memory:");
  if (connected.kind === "refused") throw new Error(connected.message);
  migrated = connected.db.serialize();
  return connected.db;
};
