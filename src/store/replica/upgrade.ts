/**
 * Brings the rows of the database to the schema of this version: the replica, which has all of them, is migrated as
 * every SQLite database is, and put in their place, in one transaction.
 */

import { connectReplica } from "../connect.ts";
import { SCHEMA } from "../migrations.ts";
import { type Link, type LinkTrouble, trouble } from "./link.ts";
import { putRows, rowsOf, type Standing } from "./push.ts";
import { createNote } from "./replica-file.ts";
import { wholeOf } from "./whole.ts";

/** The row of the lease stays locked until the end: nobody joins meanwhile. */
const RAISE = `
UPDATE parley.lease SET seq = seq + 1, schema = $3, pruned = seq + 1
WHERE term = $1 AND seq = $2 AND importing IS NULL
  AND NOT EXISTS (SELECT FROM parley.hosts WHERE joined IS NOT NULL) RETURNING seq`;
const PUT = putRows("$1::bigint", "$2");
/** What the schema before called otherwise, or deleted: copies in that schema are made anew. */
const REST = "DELETE FROM parley.rows WHERE seq < $1";

export interface Upgraded {
  readonly kind: "upgraded";
}

export const upgrade = async (
  file: string,
  session: Link,
  before: Standing,
): Promise<Upgraded | LinkTrouble> => {
  const standing = { ...before, seq: before.seq + 1 };
  const db = connectReplica(file, SCHEMA);
  try {
    const begun = await session.ask("BEGIN");
    if (begun.kind === "trouble") return begun;
    const raised = await session.ask(RAISE, [before.term, before.seq, SCHEMA]);
    if (raised.kind === "trouble") return raised;
    if (raised.rows.length === 0) return trouble("away", "another host was faster");
    for (const piece of wholeOf(db, null)) {
      const put = await session.ask(PUT, [standing.seq, rowsOf(piece)]);
      if (put.kind === "trouble") return put;
    }
    const rest = await session.ask(REST, [standing.seq]);
    const done = rest.kind === "trouble" ? rest : await session.ask("COMMIT");
    if (done.kind === "trouble") return done;
    createNote(db)(standing);
    return { kind: "upgraded" };
  } finally {
    db.close();
    await session.ask("ROLLBACK");
  }
};
