/**
 * Commits a group to the database in one statement, which also checks that this host may write.
 *
 * The statement changes nothing unless its term is the replica's and the replica contains every group that must precede this
 * group. Otherwise the statement raises the sequence and records the group as the last group of this host. Its conditions on
 * the lease are evaluated again after a wait for the lock on that row. The record therefore shows whether a group without an
 * answer was committed, and sending a group again is harmless. Neither an ended host nor a database reset to an earlier point
 * can mix two histories. Ending a host raises the sequence and the term as well, so a statement that waited for that lock no
 * longer matches.
 */

import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import type { WriteFailure } from "../../../ports/host.ts";
import { type LinkAnswer, linkFailureOf, type DatabaseLink, type LinkTrouble } from "./link.ts";
import { DATABASE_PATIENCE, PAUSE } from "./patience.ts";
import type { CapturedRow } from "./shapes.ts";

export interface ReplicaPosition {
  readonly epoch: number;
  readonly term: string;
  /** Last group up to which the replica contains every group. */
  readonly seq: number;
  /** Groups of this host beyond `seq` that the replica contains. */
  readonly own?: readonly number[] | undefined;
}

export const seqRow = z.object({ seq: z.coerce.number() });
export const positionRow = { epoch: z.coerce.number(), term: z.string(), ...seqRow.shape };

/** Position after a group of this host was accepted. */
export const after = (standing: ReplicaPosition, seq: number): ReplicaPosition =>
  seq === standing.seq + 1 ? { ...standing, seq } : { ...standing, own: [...(standing.own ?? []), seq] };

/** The last group that the host has. */
export const farthest = ({ seq, own = [] }: ReplicaPosition): number => own.at(-1) ?? seq;

/**
 * Groups that the replica must contain before this group is written. `all`: every group. `aside`: every group, but later groups
 * need not follow this group. `free`: all groups up to the barrier, the last group that every other group must follow.
 */
export type GroupOrder = "all" | "aside" | "free";

/** A host's name, and the id of one start of the host. */
export interface HostStart {
  readonly name: string;
  readonly instance: string;
}

type Pushed =
  | { readonly kind: "accepted"; readonly seq: number }
  /** Another host has written in between, or has ended this host's membership. */
  | { readonly kind: "behind" }
  | { readonly kind: "refused"; readonly failure: WriteFailure; readonly isValue: boolean }
  /** This host must not write any more, or the fate of the group is unknown. */
  | { readonly kind: "lost"; readonly why: string };

/**
 * SQL that upserts the rows in `parameter`; keys and bodies keep their exact bytes. Fails if an existing row does not meet the
 * condition `seen`.
 */
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
  /** Whether the group is sent in the transaction that holds the lock on the history. The transaction ends with the group. */
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
    ? { kind: "lost", why: `the result of the last write is unknown: ${trouble.why}` }
    : { kind: "refused", failure: linkFailureOf(trouble), isValue: false };

/** Ends the transaction. A new connection has no transaction, so the commit fails there. */
const ended = async (link: DatabaseLink, put: LinkAnswer): Promise<LinkAnswer> => {
  if (put.kind === "trouble" || put.rows.length === 0) {
    await link.ask("ROLLBACK");
    return put;
  }
  const answer = await link.ask("RELEASE locked; COMMIT");
  return answer.kind === "trouble" ? { ...answer, isUnknown: true } : put;
};

export const ENDED = "another host ended the membership";

const foundRow = z.object({ pushed: z.coerce.number() });
const FOUND = "SELECT pushed FROM parley.hosts WHERE name = $1 AND instance = $2 AND joined IS NOT NULL";

/**
 * Finds out why nothing was written after an earlier try got no answer: that try either committed the group or changed nothing.
 */
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
