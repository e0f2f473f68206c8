/**
 * Brings the rows of the database to the schema of this version: the replica, which has all of them, is migrated as
 * every SQLite database is, and put in their place, in one transaction.
 */

import { connectReplica } from "../connect.ts";
import { SCHEMA } from "../migrations.ts";
import { type Link, type LinkTrouble, trouble } from "./link.ts";
import { createNote } from "./replica-file.ts";
import type { Standing } from "./push.ts";
import { wholeOf } from "./whole.ts";

/** The row of the lease stays locked until the end: nobody else can take it meanwhile. */
const RAISE = `
UPDATE parley.lease SET seq = seq + 1, schema = $4, until = clock_timestamp() + interval '1 hour'
WHERE epoch = $1 AND term = $2 AND seq = $3 RETURNING seq`;
const PUT = `
INSERT INTO parley.rows (tbl, key, seq, body)
SELECT change.tbl, change.key, $1, change.body::json
FROM unnest($2::text[], $3::text[], $4::text[]) AS change (tbl, key, body)
ON CONFLICT (tbl, key) DO UPDATE SET seq = excluded.seq, body = excluded.body`;
const REST = "UPDATE parley.rows SET seq = $1, body = NULL WHERE seq < $1 AND body IS NOT NULL";
const LAST = "UPDATE parley.lease SET until = clock_timestamp() + interval '10 seconds'";

export const upgrade = async (
  file: string,
  session: Link,
  before: Standing,
): Promise<{ readonly kind: "upgraded"; readonly standing: Standing } | LinkTrouble> => {
  const standing = { ...before, seq: before.seq + 1 };
  const db = connectReplica(file, SCHEMA);
  try {
    const begun = await session.ask("BEGIN");
    if (begun.kind === "trouble") return begun;
    const raised = await session.ask(RAISE, [before.epoch, before.term, before.seq, SCHEMA]);
    if (raised.kind === "trouble") return raised;
    if (raised.rows.length === 0) return LOST;
    for (const piece of wholeOf(db, null)) {
      const columns = [
        piece.map(({ table }) => table),
        piece.map(({ key }) => key),
        piece.map(({ body }) => body),
      ];
      const put = await session.ask(PUT, [standing.seq, ...columns]);
      if (put.kind === "trouble") return put;
    }
    for (const [text, values] of [
      [REST, [standing.seq]],
      [LAST, []],
      ["COMMIT", []],
    ] as const) {
      const done = await session.ask(text, values);
      if (done.kind === "trouble") return done;
    }
    createNote(db)(standing);
    return { kind: "upgraded", standing };
  } finally {
    db.close();
    await session.ask("ROLLBACK");
  }
};

const LOST = trouble("away", "another host took over");
