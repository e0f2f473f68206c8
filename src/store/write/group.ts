/**
 * Group commit: writes that arrive while the disk is busy share one transaction. Q1 Writes keep their order. Q2 A write settles
 * only after its batch. Q3 Writes passed before `close` are executed; later ones are refused.
 */

import { CLOSING } from "../../ports/host.ts";
import type { WriteJob, WriteAnswer } from "./write-job.ts";

export interface Writer {
  /** Milliseconds between an answer and the next batch: writes that arrive in this time share a batch. */
  readonly gathers?: () => number;
  run(jobs: readonly WriteJob[]): Promise<readonly WriteAnswer[]>;
  close(): Promise<void>;
}

export interface Group {
  write(job: WriteJob): Promise<WriteAnswer>;
  /** `written` is called when no write waits any more, before the writer ends. Further calls wait for the first. */
  close(written: () => void): Promise<void>;
}

/** Writes of one transaction: few enough that their follow-up work does not block the event loop for long. */
const LARGEST = 64;
/** Batches at the writer: the second waits while the disk has the first, so that the disk never waits. */
const AHEAD = 2;

interface Waiting {
  readonly job: WriteJob;
  readonly settle: (answer: WriteAnswer | undefined) => void;
}

export const createGroup = (writer: Writer): Group => {
  const most = writer.gathers === undefined ? AHEAD : 1;
  const waiting: Waiting[] = [];
  const idle: (() => void)[] = [];
  let flying = 0;
  let answered = 0;
  let scheduled = false;
  let ending: Promise<void> | null = null;

  /** Starts at the end of this turn of the event loop, so that all its writes share a batch. */
  const schedule = (): void => {
    if (scheduled || waiting.length === 0 || flying === most) return;
    scheduled = true;
    const pause = answered + (writer.gathers?.() ?? 0) - performance.now();
    if (pause > 0) setTimeout(begin, pause);
    else setImmediate(begin);
  };

  const begin = (): void => {
    scheduled = false;
    void fly(waiting.splice(0, LARGEST));
    schedule();
  };

  const fly = async (batch: readonly Waiting[]): Promise<void> => {
    flying += 1;
    const answers = await writer.run(batch.map(({ job }) => job));
    flying -= 1;
    answered = performance.now();
    for (const [index, { settle }] of batch.entries()) settle(answers[index]);
    schedule();
    if (isIdle()) for (const hear of idle.splice(0)) hear();
  };

  const isIdle = (): boolean => flying === 0 && waiting.length === 0;

  const end = async (written: () => void): Promise<void> => {
    if (!isIdle()) {
      await new Promise<void>((resolve) => {
        idle.push(resolve);
      });
    }
    written();
    await writer.close();
  };

  return {
    write: (job) =>
      new Promise((resolve, reject) => {
        if (ending !== null) return resolve(CLOSING);
        const settle = (answer: WriteAnswer | undefined): void => {
          if (answer === undefined) reject(new Error(`${job.name} of ${job.port} was not answered`));
          else resolve(answer);
        };
        waiting.push({ job, settle });
        schedule();
      }),
    close: (written) => {
      ending ??= end(written);
      return ending;
    },
  };
};
