/**
 * Makes a group final in the database, in one statement that also looks whether this host may write.
 *
 * The statement raises the sequence from the one that the replica has, in the term of this host, or changes nothing. So
 * what became of one whose answer was lost is told by the sequence, sending it again is harmless, and neither a host
 * that was displaced nor a database that was set back can mix two histories.
 */

import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import type { WriteFailure } from "../../ports/host.ts";
import type { Answer, Link, LinkTrouble } from "./link.ts";
import type { Change } from "./shapes.ts";

/** Where the host is in the history of the database. */
export interface Standing {
  readonly epoch: number;
  readonly term: string;
  readonly seq: number;
}

export type Pushed =
  | { readonly kind: "accepted"; readonly seq: number }
  /** Nothing was written. */
  | { readonly kind: "refused"; readonly failure: WriteFailure; readonly isValue: boolean }
  /** This host may not write any more, or nobody knows what became of the group. */
  | { readonly kind: "lost"; readonly why: string };

/** Milliseconds that a group waits for a database that is away. */
const PATIENCE = 20_000;
const PAUSE = 200;

const PUSH = `
WITH fence AS (
  UPDATE parley.lease SET seq = seq + 1, importing = $7
  WHERE epoch = $1 AND term = $2 AND seq = $3 AND owner IS NOT NULL RETURNING seq
), put AS (
  INSERT INTO parley.rows (tbl, key, seq, body)
  SELECT change.tbl, change.key, fence.seq, change.body::json
  FROM fence, unnest($4::text[], $5::text[], $6::text[]) AS change (tbl, key, body)
  ON CONFLICT (tbl, key) DO UPDATE SET seq = excluded.seq, body = excluded.body
)
SELECT seq, pg_notify('parley', seq::text) FROM fence`;

/** `importing`: how far an import has come with this group. */
export type Push = (changes: readonly Change[], from: Standing, importing?: string) => Promise<Pushed>;

export const createPush =
  (link: Link, patience = PATIENCE): Push =>
  async (changes, from, importing) => {
    const group = [
      from.epoch,
      from.term,
      from.seq,
      changes.map(({ table }) => table),
      changes.map(({ key }) => key),
      changes.map(({ body }) => body),
      importing ?? null,
    ];
    const until = performance.now() + patience;
    let isUnknown = false;
    for (;;) {
      const answer: Answer = await link.ask(PUSH, group, "push");
      if (answer.kind === "rows" && answer.rows.length > 0) return { kind: "accepted", seq: from.seq + 1 };
      const why: Pushed | LinkTrouble =
        answer.kind === "rows" ? await explain(link, from, isUnknown) : answer;
      if (why.kind !== "trouble") return why;
      isUnknown ||= why.isUnknown;
      if (!isUnknown && why.cause !== "away")
        return { kind: "refused", failure: failureOf(why), isValue: why.cause === "value" };
      if (performance.now() > until) return givenUp(why, isUnknown);
      await setTimeout(PAUSE);
    }
  };

const givenUp = (trouble: LinkTrouble, isUnknown: boolean): Pushed =>
  isUnknown
    ? { kind: "lost", why: `nobody knows whether the database took the last step: ${trouble.why}` }
    : { kind: "refused", failure: failureOf(trouble), isValue: false };

const leaseRow = z.object({ epoch: z.coerce.number(), term: z.string(), seq: z.coerce.number() });

/** Why the database took nothing: it has the group since an earlier try, or this host may not write any more. */
const explain = async (link: Link, from: Standing, isUnknown: boolean): Promise<Pushed | LinkTrouble> => {
  const answer = await link.ask("SELECT epoch, term, seq FROM parley.lease");
  if (answer.kind === "trouble") return answer;
  const found = leaseRow.parse(answer.rows[0]);
  const isOurs = found.epoch === from.epoch && found.term === from.term;
  if (isOurs && isUnknown && found.seq === from.seq + 1) return { kind: "accepted", seq: found.seq };
  const why =
    found.epoch > from.epoch
      ? "another host took over"
      : "the database was set back to an earlier point, or this host gave the work up";
  return { kind: "lost", why };
};

const CODES: Readonly<Record<LinkTrouble["cause"], WriteFailure["code"]>> = {
  away: "io",
  refused: "io",
  read_only: "read_only",
  full: "disk_full",
  value: "conflict",
};

const failureOf = ({ cause, why }: LinkTrouble): WriteFailure => ({
  kind: "failed",
  code: CODES[cause],
  message: why,
});
