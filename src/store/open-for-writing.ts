/** A second connection to a database that is open and migrated, for the thread that writes. */

import { type Batch, createBatch } from "./write/batch.ts";
import { connect } from "./connect.ts";
import { partsOf } from "./parts.ts";
import { silent } from "./silent.ts";

/** Throws where the file cannot be opened any more. */
export const openForWriting = (name: string): { readonly batch: Batch; readonly close: () => void } => {
  const connected = connect(name);
  if (connected.kind === "refused") throw new Error(connected.message);
  const { db } = connected;
  return { batch: createBatch(db, partsOf(db, silent)), close: () => void db.close() };
};
