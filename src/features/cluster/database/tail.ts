/** Brings a replica up to the last group of the database, in one transaction. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ReplicatedRow } from "../../../ports/membership.ts";
import { createApply } from "./apply.ts";
import type { DatabaseLink, LinkTrouble } from "./link.ts";
import { farthest, type ReplicaPosition, positionRow, type HostStart } from "./push.ts";
import { createNote } from "./replica-file.ts";
import { truncateWal } from "../../../store/base/truncate-wal.ts";
import type { RemoteRow } from "./shapes.ts";

export type TailResult =
  | {
      readonly kind: "tailed";
      readonly standing: ReplicaPosition;
      /** Changed rows of tables with listeners. */
      readonly changed: readonly ReplicatedRow[];
      readonly isMember: boolean;
    }
  /** The database no longer stores which rows were deleted meanwhile, so the replica must be rebuilt. */
  | { readonly kind: "stale" }
  /** The replica contains groups that the database does not have. */
  | { readonly kind: "ahead"; readonly steps: number }
  | LinkTrouble;

const PAGE = 1_000;

/**
 * Reads the position of the database and the rows that the replica lacks. Rows written while pages are read get a later group,
 * so they appear on a later page: the last page leaves the replica in the state that the database then had. Rows of an
 * unfinished import do not count yet.
 *
 * `last`: last group of the replica's term. If the database was reset to a point before that term, the term is unknown.
 */
const TAIL = `
SELECT epoch, term, lease.seq, pruned, EXISTS (SELECT FROM parley.terms WHERE epoch = $1 AND term::text = $2) AS known,
  EXISTS (SELECT FROM parley.hosts WHERE name = $7 AND instance = $8 AND joined IS NOT NULL) AS "isMember",
  coalesce((SELECT after FROM parley.terms WHERE epoch > $1 ORDER BY epoch LIMIT 1), lease.seq) AS last,
  (SELECT coalesce(json_agg(json_build_array(tbl, key::json, seq, body)), '[]') FROM (
    SELECT tbl, key, seq, body FROM parley.rows
    WHERE seq > $3 AND seq <= lease.seq AND (seq, tbl, key) > ($4, $5, $6) AND seq <> ALL ($9::bigint[]) ORDER BY seq, tbl, key LIMIT ${PAGE}
  ) AS page) AS rows
FROM parley.lease`;

const isRow = (row: unknown): boolean => typeof row === "object" && !Array.isArray(row);

const leaseRow = z.object({
  ...positionRow,
  pruned: z.coerce.number(),
  known: z.boolean(),
  isMember: z.boolean(),
  last: z.coerce.number(),
  /**
   * Hosts of one database run the same schema, so the columns are not checked here; the tables reject values that do not fit.
   */
  rows: z.array(
    z
      .tuple([
        z.string(),
        z.custom<RemoteRow["key"]>(Array.isArray),
        z.number(),
        z.custom<RemoteRow["row"]>(isRow),
      ])
      .transform(([table, key, at, row]) => ({ table, key, at, row })),
  ),
});

export type ReadTail = (from: ReplicaPosition) => Promise<TailResult>;

/** Milliseconds that content erased by other hosts may remain in the write-ahead log of the file. */
const HORIZON = 60_000;

/** `db`: a connection that checks no references. `heard`: tables whose changes are reported. */
export const createTail = (
  link: DatabaseLink,
  db: Database,
  { name, instance }: HostStart,
  heard: ReadonlySet<string>,
): ReadTail => {
  const apply = createApply(db);
  const note = createNote(db);
  /** Time of the oldest rows in the write-ahead log; null if the log contains no rows. */
  let brought: number | null = null;

  const bring = async (from: ReplicaPosition): Promise<TailResult> => {
    const changed: ReplicatedRow[] = [];
    let at = { seq: from.seq, tbl: "", key: "" };
    for (;;) {
      const values = [
        from.epoch,
        from.term,
        from.seq,
        at.seq,
        at.tbl,
        at.key,
        name,
        instance,
        from.own ?? [],
      ];
      // A named statement is planned once; planning takes longer than the query.
      const answer = await link.ask(TAIL, values, "tail");
      if (answer.kind === "trouble") return answer;
      const { known, isMember, last, pruned, rows, ...standing } = leaseRow.parse(answer.rows[0]);
      const isAhead = farthest(from) > last || (from.epoch > 0 && !known);
      if (isAhead) return { kind: "ahead", steps: Math.max(farthest(from) - standing.seq, 0) };
      if (from.seq > 0 && from.seq < pruned) return { kind: "stale" };
      const isSame = standing.seq === from.seq && standing.term === from.term;
      if (isSame) return { kind: "tailed", standing, changed, isMember };
      if (!db.inTransaction) db.exec("BEGIN IMMEDIATE");
      apply(rows);
      for (const { table, key } of rows) if (heard.has(table)) changed.push({ table, key });
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) {
        note(standing);
        return { kind: "tailed", standing, changed, isMember };
      }
      at = { seq: end.at, tbl: end.table, key: JSON.stringify(end.key) };
    }
  };

  return async (from) => {
    try {
      const tailed = await bring(from);
      if (db.inTransaction && tailed.kind === "tailed") {
        db.exec("COMMIT");
        brought ??= performance.now();
      }
      if (brought !== null && performance.now() - brought > HORIZON && truncateWal(db)) brought = null;
      return tailed;
    } finally {
      if (db.inTransaction) db.exec("ROLLBACK");
    }
  };
};
