/** A second connection to an open, migrated database, for the writer thread. */

import type { Tables } from "../../ports/tables.ts";
import { connectDatabase } from "../base/connect.ts";
import { silentLog } from "../base/silent-log.ts";
import { tablesOf } from "../tables/all-tables.ts";
import { createBatch } from "./batch.ts";

/** No other process writes. */
const look = (): void => {};

/** Throws if the file cannot be opened any more. */
export const openForWriting = (name: string, tables: readonly Tables[]) => {
  const connected = connectDatabase(name);
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  const batch = createBatch(db, tablesOf(db, silentLog, tables));
  return { batch, look, close: (): void => void db.close() };
};
