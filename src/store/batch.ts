/**
 * Many writes as one transaction, so that they share one wait for the disk.
 *
 * G1 each is stored whole or not at all, and one that cannot be stored takes no other with it. G2 they are carried
 * out in the order in which they were handed over. G3 an answer other than a failure means that the write is on the
 * disk. Where the transaction as a whole is refused, each is tried in one of its own, so that a step that does not
 * fit on a full disk is refused alone.
 */

import type { Database } from "better-sqlite3";
import type { WriteFailure } from "../runtime/ports.ts";
import type { Parts } from "./direct.ts";
import { type Job, write, type Written } from "./write-job.ts";
import { attempt } from "./write.ts";

export type Batch = (jobs: readonly Job[]) => readonly Written[];

export const createBatch = (db: Database, parts: Parts): Batch => {
  const together = db.transaction((jobs: readonly Job[]): Outcome => {
    const answers: Written[] = [];
    for (const job of jobs) {
      answers.push(write(parts, job));
      // A failure may have undone everything before it too; then there is nothing left to commit, which is refused.
      if (!db.inTransaction) break;
    }
    return { kind: "stored", answers };
  }).immediate;

  return (jobs) => {
    if (jobs.length > 1) {
      const outcome = attempt(() => together(jobs));
      if (outcome.kind === "stored") return outcome.answers;
      if (isBusy(outcome)) return jobs.map(() => outcome);
    }
    return jobs.map((job) => write(parts, job));
  };
};

interface Outcome {
  readonly kind: "stored";
  readonly answers: readonly Written[];
}

/** Somebody else has the file for longer than a write waits: to wait once more for each would help nobody. */
const isBusy = ({ message }: WriteFailure): boolean => message.startsWith("SQLITE_BUSY");
