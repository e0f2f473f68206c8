/**
 * Runs many writes as one transaction, so that they share one wait for the disk.
 *
 * G1 Each write is stored whole or not at all, and one that cannot be stored affects no other. G2 Writes run in the order in
 * which they were passed. G3 An answer other than a failure means that the write is on disk. There are no savepoints, because
 * they would copy every page that a step changes. Instead, a transaction with a failed write is undone, and three parts are
 * tried again: the writes before it, the write alone, and the writes after it. If the disk refuses a transaction at its end,
 * each write is tried alone, so that only writes that do not fit are refused.
 */

import Sqlite, { type Database, type Statement } from "better-sqlite3";
import type { WriteFailure } from "../../ports/host.ts";
import { truncateWal } from "../base/vacate.ts";
import type { StoreParts } from "../tables/all-tables.ts";
import { type WriteJob, runWriteJob, type WriteAnswer } from "./write-job.ts";
import { failureOf, isBusy } from "../base/write.ts";

export type WriteBatch = (jobs: readonly WriteJob[]) => readonly WriteAnswer[];

/** Takes the changes of the open transaction; after a rollback they are captured again. */
export type CaptureChanges<Changes> = () => readonly Changes[];

/** Why a transaction must not end. `isForAll`: other writes would be refused too. */
export interface BatchRefusal {
  readonly failure: WriteFailure;
  readonly isForAll: boolean;
}

/** The transaction ran on rows that are stale, because other hosts have newer ones. */
export type ReplicaStale = "behind";

/**
 * Yields the changes of each transaction, and ends it when the answer allows it. Null: the transaction was undone because its
 * rows were stale, and runs again once newer rows have arrived.
 */
export type BatchRun<Changes, Outcome> = Generator<
  readonly Changes[] | null,
  Outcome,
  BatchRefusal | ReplicaStale | null | undefined
>;

/** Creates batches that need no answers. */
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

  /** SQLite may have undone it already. */
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

  /**
   * Whether the log is empty. Initially unknown, because an earlier thread may have written. Retried after the next write,
   * which comes at least every ten minutes.
   */
  let isVacant = false;

  return function* (jobs: readonly WriteJob[]): BatchRun<Changes, readonly WriteAnswer[]> {
    const answers = yield* batch(jobs);
    if (!isVacant || jobs.some((job, index) => erases(job, answers[index]))) isVacant = truncateWal(db);
    return answers;
  };
};

/** Returns the parts that are tried again if the whole was not stored. */
const apart = (jobs: readonly WriteJob[], outcome: Failed | Refused): readonly (readonly WriteJob[])[] =>
  outcome.kind === "failed"
    ? [jobs.slice(0, outcome.at), jobs.slice(outcome.at, outcome.at + 1), jobs.slice(outcome.at + 1)]
    : jobs.map((job) => [job]);

/** Whether the write erased words. For a removal only the last piece counts, because emptying the log takes time. */
const erases = (job: WriteJob, answer: WriteAnswer | undefined): boolean =>
  (job.name === "step" && job.given[0].erasure !== null) ||
  job.name === "forgetBeside" ||
  (answer?.kind === "removed" && !answer.more);

type Outcome = { readonly kind: "stored"; readonly answers: readonly WriteAnswer[] } | Failed | Refused;

/** The write at that position cannot be stored. */
interface Failed {
  readonly kind: "failed";
  readonly at: number;
  readonly failure: WriteFailure;
}

/** The whole transaction is refused. */
interface Refused extends BatchRefusal {
  readonly kind: "refused";
}

/** Runs a statement; returns the refusal. If the disk is busy, waiting again for each single write would help no write. */
const refusal = (statement: Statement): Refused | null => {
  try {
    statement.run();
    return null;
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    return { kind: "refused", failure: failureOf(error), isForAll: isBusy(error) };
  }
};
