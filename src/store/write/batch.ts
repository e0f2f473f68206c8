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
import { BUSY_TIMEOUT } from "../connect.ts";
import type { Parts } from "./direct.ts";
import { type Job, write, type Written } from "./write-job.ts";
import { attempt, failureOf, isBusy } from "./write.ts";

export type Batch = (jobs: readonly Job[]) => readonly Written[];

export const createBatch = (db: Database, parts: Parts): Batch => {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");

  const together = (jobs: readonly Job[]): Outcome => {
    const unbegun = refusal(begin);
    if (unbegun !== null) return unbegun;
    const answers: Written[] = [];
    for (const job of jobs) {
      const answer = write(parts, job);
      if (answer.kind === "failed") return undone({ kind: "failed", at: answers.length });
      answers.push(answer);
    }
    const unended = refusal(commit);
    return unended === null ? { kind: "stored", answers } : undone(unended);
  };

  /** SQLite may have undone it by itself. */
  const undone = (outcome: Outcome): Outcome => {
    if (db.inTransaction) rollback.run();
    return outcome;
  };

  const alone = (job: Job): Written => write(parts, job);

  let isVacant = true;
  /**
   * The log would keep the words until it comes round to their place. Where somebody reads now, such as a backup, it is
   * tried again after the next write: one comes at least every minute.
   */
  const vacate = (): void => {
    db.pragma(`busy_timeout = ${PATIENCE}`);
    const done = attempt(
      () => ({ kind: "row", busy: db.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) }) as const,
    );
    isVacant = done.kind === "row" && done.busy === 0;
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
  };

  const batch = (jobs: readonly Job[]): readonly Written[] => {
    if (jobs.length <= 1) return jobs.map(alone);
    const outcome = together(jobs);
    switch (outcome.kind) {
      case "stored":
        return outcome.answers;
      case "failed": {
        const { at } = outcome;
        return [
          ...batch(jobs.slice(0, at)),
          ...jobs.slice(at, at + 1).map(alone),
          ...batch(jobs.slice(at + 1)),
        ];
      }
      case "refused":
        return outcome.isBusy ? jobs.map(() => outcome.failure) : jobs.map(alone);
    }
  };

  return (jobs) => {
    const answers = batch(jobs);
    if (!isVacant || jobs.some((job, index) => erases(job, answers[index]))) vacate();
    return answers;
  };
};

/** Milliseconds that emptying the log waits for those who read: nothing is written meanwhile. */
const PATIENCE = 100;

/** Of a removal only the last piece: emptying the log is work of its own. */
const erases = (job: Job, answer: Written | undefined): boolean =>
  (job.name === "step" && job.given[0].erasure !== null) ||
  job.name === "uninstruct" ||
  (answer?.kind === "removed" && !answer.more);

type Outcome =
  | { readonly kind: "stored"; readonly answers: readonly Written[] }
  /** The write at that place cannot be stored. */
  | { readonly kind: "failed"; readonly at: number }
  | Refused;

/** The disk does not take the whole. Where it is busy, to wait once more for each would help nobody. */
interface Refused {
  readonly kind: "refused";
  readonly failure: WriteFailure;
  readonly isBusy: boolean;
}

const refusal = (statement: Statement): Refused | null => {
  try {
    statement.run();
    return null;
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    return { kind: "refused", failure: failureOf(error), isBusy: isBusy(error) };
  }
};
