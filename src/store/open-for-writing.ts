/** A second connection to a database that is open and migrated, for the thread that writes. */

import { type Batch, createBatch } from "./write/batch.ts";
import { connect } from "./connect.ts";
import { tablesOf } from "./tables.ts";
import { silentLog } from "./silent-log.ts";

/** Throws where the file cannot be opened any more. */
export const openForWriting = (name: string): { readonly batch: Batch; readonly close: () => void } => {
  const connected = connect(name);
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  return { batch: createBatch(db, tablesOf(db, silentLog)), close: () => void db.close() };
};
