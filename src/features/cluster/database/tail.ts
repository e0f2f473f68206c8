/** Brings a replica up to the last group of the database, in one transaction. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import type { ReplicatedRow } from "../../../ports/membership.ts";
import { createApply } from "./apply.ts";
import type { DatabaseLink, LinkTrouble } from "./link.ts";
import { farthest, type ReplicaPosition, positionRow, type HostStart } from "./push.ts";
import { createNote } from "./replica-file.ts";
import { truncateWal } from "../../../store/base/vacate.ts";
import type { RemoteRow } from "./shapes.ts";

export type TailResult =
  | {
      readonly kind: "tailed";
      readonly standing: ReplicaPosition;
      /** Of tables that somebody hears. */
      readonly changed: readonly ReplicatedRow[];
      /** The host that asks is one of those that write. */
      readonly isMember: boolean;
    }
  /** Rows that were deleted since are not known any more: the replica must be made anew. */
  | { readonly kind: "stale" }
  /** The replica has what the database does not have. */
  | { readonly kind: "ahead"; readonly steps: number }
  | LinkTrouble;

/** Rows of one answer. */
const PAGE = 1_000;

/**
 * Where the database is, and what it has beyond the replica. What is written while one asks for page after page comes on a
 * later page, because it is in a later group: the last page leaves the replica as the database was then. What an import
 * has brought so far does not count yet.
 *
 * `last`: of the replica's term, which is not known where the database was set back to before it.
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
  /** Hosts of one database write what fits: of the columns only the tables see whether it does. */
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

/** Milliseconds for which what others erased may be left in the log of the file. */
const HORIZON = 60_000;

/** `db`: a connection that checks no references. `heard`: tables of whose rows it is told what changed. */
export const createTail = (
  link: DatabaseLink,
  db: Database,
  { name, instance }: HostStart,
  heard: ReadonlySet<string>,
): ReadTail => {
  const apply = createApply(db);
  const note = createNote(db);
  /** When rows came that the log holds. */
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
      // A plan of its own each time would take longer than the answer.
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
