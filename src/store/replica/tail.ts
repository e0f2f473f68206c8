/** Brings a replica up to the last group of the database, in one transaction on either side. */

import type { Database } from "better-sqlite3";
import * as z from "zod";
import { createApply } from "./apply.ts";
import type { Link, LinkTrouble } from "./link.ts";
import type { Standing } from "./push.ts";
import { createNote } from "./replica-file.ts";
import { SHARED } from "./shapes.ts";

export type Tailed =
  | { readonly kind: "tailed"; readonly standing: Standing }
  /** Rows that were deleted since are not known any more: the replica must be made anew. */
  | { readonly kind: "stale" }
  /** The replica has what the database does not have. */
  | { readonly kind: "ahead"; readonly steps: number }
  | LinkTrouble;

/** Rows of one answer. */
const PAGE = 1_000;

const BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/** `last`: of the replica's term, which is not known where the database was set back to before it. */
const LEASE = `
SELECT epoch, term, seq, pruned, (SELECT count(*) FROM parley.terms WHERE epoch = $1 AND term::text = $2) AS known,
  coalesce((SELECT after FROM parley.terms WHERE epoch > $1 ORDER BY epoch LIMIT 1), seq) AS last
FROM parley.lease`;
const ROWS = `
SELECT tbl, key, seq, body::text AS body FROM parley.rows
WHERE seq > $1 AND (seq, tbl, key) > ($2, $3, $4) ORDER BY seq, tbl, key LIMIT ${PAGE}`;

const leaseRow = z.object({
  epoch: z.coerce.number(),
  term: z.string(),
  seq: z.coerce.number(),
  pruned: z.coerce.number(),
  known: z.coerce.number(),
  last: z.coerce.number(),
});
const row = z.object({
  tbl: z.enum(SHARED),
  key: z.string(),
  seq: z.coerce.number(),
  body: z.string().nullable(),
});

export type Tail = (from: Standing) => Promise<Tailed>;

export const createTail = (link: Link, db: Database): Tail => {
  const apply = createApply(db);
  const note = createNote(db);

  const bring = async (from: Standing): Promise<Tailed> => {
    const begun = await link.ask(BEGIN);
    if (begun.kind === "trouble") return begun;
    const answer = await link.ask(LEASE, [from.epoch, from.term]);
    if (answer.kind === "trouble") return answer;
    const { known, last, pruned, ...standing } = leaseRow.parse(answer.rows[0]);
    const isAhead = from.seq > last || (from.epoch > 0 && known === 0);
    if (isAhead) return { kind: "ahead", steps: Math.max(from.seq - standing.seq, 0) };
    if (from.seq > 0 && from.seq < pruned) return { kind: "stale" };
    let at = { seq: from.seq, tbl: "", key: "" };
    for (;;) {
      const page = await link.ask(ROWS, [from.seq, at.seq, at.tbl, at.key]);
      if (page.kind === "trouble") return page;
      const rows = z.array(row).parse(page.rows);
      apply(rows.map(({ tbl, key, body }) => ({ table: tbl, key, body })));
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) break;
      at = end;
    }
    note(standing);
    return { kind: "tailed", standing };
  };

  return async (from) => {
    db.exec("BEGIN IMMEDIATE");
    try {
      const tailed = await bring(from);
      db.exec(tailed.kind === "tailed" ? "COMMIT" : "ROLLBACK");
      return tailed;
    } finally {
      if (db.inTransaction) db.exec("ROLLBACK");
      await link.ask("ROLLBACK");
    }
  };
};
