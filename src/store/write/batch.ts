/**
 * Runs many writes as one transaction, so that they share one wait for the disk. G1 Each write is stored whole or not at all,
 * and a failed write affects no other. G2 Writes run in the order in which they were passed. G3 Any answer except a failure
 * means that the write is on disk. Savepoints would copy every page that a step changes. Instead, a transaction with a failed
 * write is undone and tried again in three parts: the writes before, the write alone, the writes after. If the disk refuses the
 * commit, each write is tried alone.
 */

import Sqlite, { type Database, type Statement } from "better-sqlite3";
import type { WriteFailure } from "../../ports/host.ts";
import { truncateWal } from "../base/truncate-wal.ts";
import type { StoreParts } from "../tables/all-tables.ts";
import { type WriteJob, runWriteJob, type WriteAnswer } from "./write-job.ts";
import { failureOf, isBusy } from "../base/write.ts";

export type WriteBatch = (jobs: readonly WriteJob[]) => readonly WriteAnswer[];

export type CaptureChanges<Changes> = () => readonly Changes[];

/** `isForAll`: whether other writes would be refused too. */
export interface BatchRefusal {
  readonly failure: WriteFailure;
  readonly isForAll: boolean;
}

export type ReplicaStale = "behind";

/** Yields each transaction's changes before the commit; null if the transaction was undone and waits for newer rows. */
export type BatchRun<Changes, Outcome> = Generator<
  readonly Changes[] | null,
  Outcome,
  BatchRefusal | ReplicaStale | null | undefined
>;

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

  /** SQLite may have rolled back already. */
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

  /** False until this thread has emptied the log, because an earlier thread may have written. */
  let isVacant = false;

  return function* (jobs: readonly WriteJob[]): BatchRun<Changes, readonly WriteAnswer[]> {
    const answers = yield* batch(jobs);
    if (!isVacant || jobs.some((job, index) => erases(job, answers[index]))) isVacant = truncateWal(db);
    return answers;
  };
};

const apart = (jobs: readonly WriteJob[], outcome: Failed | Refused): readonly (readonly WriteJob[])[] =>
  outcome.kind === "failed"
    ? [jobs.slice(0, outcome.at), jobs.slice(outcome.at, outcome.at + 1), jobs.slice(outcome.at + 1)]
    : jobs.map((job) => [job]);

/** For a removal, only the last piece counts, because emptying the log takes time. */
const erases = (job: WriteJob, answer: WriteAnswer | undefined): boolean =>
  (job.name === "step" && job.given[0].erasure !== null) ||
  job.name === "forgetBeside" ||
  (answer?.kind === "removed" && !answer.more);

type Outcome = { readonly kind: "stored"; readonly answers: readonly WriteAnswer[] } | Failed | Refused;

interface Failed {
  readonly kind: "failed";
  readonly at: number;
  readonly failure: WriteFailure;
}

interface Refused extends BatchRefusal {
  readonly kind: "refused";
}

/** If the disk is busy, waiting again for each single write would help no write. */
const refusal = (statement: Statement): Refused | null => {
  try {
    statement.run();
    return null;
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    return { kind: "refused", failure: failureOf(error), isForAll: isBusy(error) };
  }
};
