/**
 * Many writes as one transaction, so that they share one wait for the disk.
 *
 * G1 each is stored whole or not at all, and one that cannot be stored takes no other with it. G2 they are carried
 * out in the order in which they were handed over. G3 an answer other than a failure means that the write is on the
 * disk. There are no savepoints, which would copy every page that a step changes: a transaction in which a write
 * fails is undone, and what stood before it, the write alone, and what stood behind it are tried anew. One that the
 * disk refuses at its end is tried write by write, so that only what does not fit is refused.
 */

import Sqlite, { type Database, type Statement } from "better-sqlite3";
import type { WriteFailure } from "../../ports/host.ts";
import { truncateWal } from "../base/vacate.ts";
import type { StoreParts } from "../tables/all-tables.ts";
import { type WriteJob, runWriteJob, type WriteAnswer } from "./write-job.ts";
import { failureOf, isBusy } from "../base/write.ts";

export type WriteBatch = (jobs: readonly WriteJob[]) => readonly WriteAnswer[];

/** Takes what the open transaction changed; it is there again once that is undone. */
export type CaptureChanges<Changes> = () => readonly Changes[];

/** Why a transaction may not end; `isForAll`: nothing else would be taken either. */
export interface BatchRefusal {
  readonly failure: WriteFailure;
  readonly isForAll: boolean;
}

/** The transaction was run on rows of which others have newer ones. */
export type ReplicaStale = "behind";

/**
 * Gives what each transaction changed, and ends it when it is told that it may. Null: it was undone because it was behind,
 * and is run again once everything newer is there.
 */
export type BatchRun<Changes, Outcome> = Generator<
  readonly Changes[] | null,
  Outcome,
  BatchRefusal | ReplicaStale | null | undefined
>;

/** Batches that end by themselves. */
export const createBatch = (db: Database, parts: StoreParts): WriteBatch => {
  const batches = createBatches<never>(db, parts, null);
  return (jobs) => {
    const step = batches(jobs).next();
    if (step.done !== true) throw new Error("a batch waits for nobody");
    return step.value;
  };
};

export const createBatches = <Changes>(
  db: Database,
  parts: StoreParts,
  captured: CaptureChanges<Changes> | null,
) => {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");

  const together = function* (jobs: readonly WriteJob[]): BatchRun<Changes, Outcome> {
    for (;;) {
      const outcome = yield* once(jobs);
      if (outcome !== "behind") return outcome;
      const unbrought = (yield null) ?? null;
      if (unbrought !== null && unbrought !== "behind") return { kind: "refused", ...unbrought };
    }
  };

  const once = function* (jobs: readonly WriteJob[]): BatchRun<Changes, Outcome | ReplicaStale> {
    const unbegun = refusal(begin);
    if (unbegun !== null) return unbegun;
    const answers: WriteAnswer[] = [];
    for (const job of jobs) {
      const answer = runWriteJob(parts, job);
      if (answer.kind === "failed") return undone({ kind: "failed", at: answers.length, failure: answer });
      answers.push(answer);
    }
    const changes = captured?.() ?? [];
    if (changes.length > 0) {
      const unsent = (yield changes) ?? null;
      if (unsent === "behind") return undone(unsent);
      if (unsent !== null) return undone({ kind: "refused", ...unsent });
    }
    const unended = refusal(commit);
    if (unended === null) return { kind: "stored", answers };
    if (captured === null) return undone(unended);
    throw new Error(`the replica cannot keep what the database has: ${unended.failure.message}`);
  };

  /** SQLite may have undone it by itself. */
  const undone = <How>(outcome: How): How => {
    if (db.inTransaction) rollback.run();
    return outcome;
  };

  const batch = function* (jobs: readonly WriteJob[]): BatchRun<Changes, readonly WriteAnswer[]> {
    if (jobs.length === 0) return [];
    const outcome = yield* together(jobs);
    if (outcome.kind === "stored") return outcome.answers;
    if (jobs.length === 1 || (outcome.kind === "refused" && outcome.isForAll))
      return jobs.map(() => outcome.failure);
    const answers: WriteAnswer[] = [];
    for (const some of apart(jobs, outcome)) answers.push(...(yield* batch(some)));
    return answers;
  };

  /** Not known of what a thread before this one wrote. It is tried after the next write: one comes at least every ten minutes. */
  let isVacant = false;

  return function* (jobs: readonly WriteJob[]): BatchRun<Changes, readonly WriteAnswer[]> {
    const answers = yield* batch(jobs);
    if (!isVacant || jobs.some((job, index) => erases(job, answers[index]))) isVacant = truncateWal(db);
    return answers;
  };
};

/** What is tried anew where the whole was not stored. */
const apart = (jobs: readonly WriteJob[], outcome: Failed | Refused): readonly (readonly WriteJob[])[] =>
  outcome.kind === "failed"
    ? [jobs.slice(0, outcome.at), jobs.slice(outcome.at, outcome.at + 1), jobs.slice(outcome.at + 1)]
    : jobs.map((job) => [job]);

/** Of a removal only the last piece: emptying the log is work of its own. */
const erases = (job: WriteJob, answer: WriteAnswer | undefined): boolean =>
  (job.name === "step" && job.given[0].erasure !== null) ||
  job.name === "forgetBeside" ||
  (answer?.kind === "removed" && !answer.more);

type Outcome = { readonly kind: "stored"; readonly answers: readonly WriteAnswer[] } | Failed | Refused;

/** The write at that place cannot be stored. */
interface Failed {
  readonly kind: "failed";
  readonly at: number;
  readonly failure: WriteFailure;
}

/** The whole is not taken. */
interface Refused extends BatchRefusal {
  readonly kind: "refused";
}

/** Where the disk is busy, to wait once more for each would help nobody. */
const refusal = (statement: Statement): Refused | null => {
  try {
    statement.run();
    return null;
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    return { kind: "refused", failure: failureOf(error), isForAll: isBusy(error) };
  }
};
