/**
 * Makes a group final in the database, in one statement that also looks whether this host may write.
 *
 * The statement raises the sequence, in the term of the replica and where the replica has what the group must follow, and notes
 * that this host did, or changes nothing. What it looks at of the lease is read anew behind whoever holds that row. So what became
 * of one whose answer was lost is told by the note, sending it again is harmless, and neither a host that was ended nor a database
 * that was set back can mix two histories. Whoever ends a host raises the sequence and the term too: a statement that waits behind
 * that finds another one than it was made for.
 */

import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import type { WriteFailure } from "../../../ports/host.ts";
import { type LinkAnswer, linkFailureOf, type DatabaseLink, type LinkTrouble } from "./link.ts";
import { DATABASE_PATIENCE, PAUSE } from "./patience.ts";
import type { CapturedRow } from "./shapes.ts";

/** Where the host is in the history of the database. */
export interface ReplicaPosition {
  readonly epoch: number;
  readonly term: string;
  /** It has every group up to this one. */
  readonly seq: number;
  /** Groups of its own that it has beyond that. */
  readonly own?: readonly number[] | undefined;
}

/** Of any row that says it. */
export const seqRow = z.object({ seq: z.coerce.number() });
export const positionRow = { epoch: z.coerce.number(), term: z.string(), ...seqRow.shape };

/** Once a group of its own was accepted. */
export const after = (standing: ReplicaPosition, seq: number): ReplicaPosition =>
  seq === standing.seq + 1 ? { ...standing, seq } : { ...standing, own: [...(standing.own ?? []), seq] };

/** The last group that the host has. */
export const farthest = ({ seq, own = [] }: ReplicaPosition): number => own.at(-1) ?? seq;

/**
 * What a group has to follow: all that there is; the same, but groups that follow what they must need not know of it
 * (`aside`); or the last group that everything must follow (`free`).
 */
export type GroupOrder = "all" | "aside" | "free";

/** One start of a host. */
export interface HostStart {
  readonly name: string;
  readonly instance: string;
}

type Pushed =
  | { readonly kind: "accepted"; readonly seq: number }
  /** Another host wrote since, or ended this one. */
  | { readonly kind: "behind" }
  /** Nothing was written. */
  | { readonly kind: "refused"; readonly failure: WriteFailure; readonly isValue: boolean }
  /** This host may not write any more, or nobody knows what became of the group. */
  | { readonly kind: "lost"; readonly why: string };

/** SQL; the parameter has the rows. Keys and bodies stay as they are, to the byte. Fails where a row that is there is not `seen`. */
export const putRows = (seq: string, parameter: string, from = "", seen = "true"): string => `
  INSERT INTO parley.rows (tbl, key, seq, body)
  SELECT btrim((change -> 0)::text, '"'), (change -> 1)::text, ${seq}, nullif((change -> 2)::text, 'null')::json
  FROM ${from}json_array_elements(${parameter}::json) AS change
  ON CONFLICT (tbl, key) DO UPDATE SET seq = CASE WHEN ${seen} THEN excluded.seq END, body = excluded.body`;

export const pushedRowsOf = (changes: readonly CapturedRow[]): string =>
  `[${changes.map(({ table, key, body }) => `["${table}",${key},${body ?? "null"}]`).join()}]`;

const PUSH = `
WITH fence AS (
  UPDATE parley.lease SET seq = seq + 1, barrier = CASE $6 WHEN 'all' THEN seq + 1 ELSE barrier END
  WHERE term = $1 AND (seq = $2 OR $6 = 'free' AND barrier <= $2)
    AND EXISTS (SELECT FROM parley.hosts WHERE name = $3 AND instance = $5 AND joined IS NOT NULL) RETURNING seq
), noted AS (
  UPDATE parley.hosts SET pushed = fence.seq FROM fence WHERE name = $3 AND instance = $5
), put AS (${putRows("fence.seq", "$4", "fence, ", "rows.seq <= $2 OR rows.seq = ANY ($7::bigint[])")}
)
SELECT seq, pg_notify('parley', seq::text) FROM fence`;

interface How {
  /** In the transaction that holds the history; it is over then. */
  readonly isLocked?: boolean;
  readonly follows?: GroupOrder;
}

export type PushRows = (changes: readonly CapturedRow[], from: ReplicaPosition, how?: How) => Promise<Pushed>;

export const createPush =
  (link: DatabaseLink, { name, instance }: HostStart, patience = DATABASE_PATIENCE): PushRows =>
  async (changes, from, { isLocked = false, follows = "all" } = {}) => {
    const { term, seq, own = [] } = from;
    const group = [term, seq, name, pushedRowsOf(changes), instance, follows, own];
    const until = performance.now() + patience;
    let isUnknown = false;
    for (let ends = isLocked; ; ends = false) {
      const put = await link.ask(PUSH, group, "push");
      const answer = ends ? await ended(link, put) : put;
      if (answer.kind === "rows" && answer.rows.length > 0)
        return { kind: "accepted", seq: seqRow.parse(answer.rows[0]).seq };
      const isBehind = answer.kind === "rows" || answer.cause === "unseen";
      if (isBehind && !isUnknown) return { kind: "behind" };
      const why = isBehind ? await explain(link, from, [name, instance]) : answer;
      if (why.kind !== "trouble") return why;
      isUnknown ||= why.isUnknown;
      if (!isUnknown && why.cause !== "away")
        return { kind: "refused", failure: linkFailureOf(why), isValue: why.cause === "value" };
      if (performance.now() > until) return givenUp(why, isUnknown);
      await setTimeout(PAUSE);
    }
  };

const givenUp = (trouble: LinkTrouble, isUnknown: boolean): Pushed =>
  isUnknown
    ? { kind: "lost", why: `nobody knows whether the database took the last step: ${trouble.why}` }
    : { kind: "refused", failure: linkFailureOf(trouble), isValue: false };

/** Ends the transaction. On another connection than the one that began it, there is none, and that is trouble. */
const ended = async (link: DatabaseLink, put: LinkAnswer): Promise<LinkAnswer> => {
  if (put.kind === "trouble" || put.rows.length === 0) {
    await link.ask("ROLLBACK");
    return put;
  }
  const answer = await link.ask("RELEASE locked; COMMIT");
  return answer.kind === "trouble" ? { ...answer, isUnknown: true } : put;
};

export const ENDED = "another host ended it";

const foundRow = z.object({ pushed: z.coerce.number() });
const FOUND = "SELECT pushed FROM parley.hosts WHERE name = $1 AND instance = $2 AND joined IS NOT NULL";

/** Why the database took nothing when an earlier try got no answer: it has the group since then, or it is as without that try. */
const explain = async (
  link: DatabaseLink,
  from: ReplicaPosition,
  host: readonly [name: string, instance: string],
): Promise<Pushed | LinkTrouble> => {
  const answer = await link.ask(FOUND, host);
  if (answer.kind === "trouble") return answer;
  const [found] = z.array(foundRow).parse(answer.rows);
  if (found === undefined) return { kind: "lost", why: ENDED };
  const { pushed } = found;
  return pushed > farthest(from) ? { kind: "accepted", seq: pushed } : { kind: "behind" };
};
