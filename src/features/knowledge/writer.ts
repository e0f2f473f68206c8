/** Runs the writes of the index and the parsing of pages in a separate thread, so that they do not block the event loop. */

import { Worker } from "node:worker_threads";
import type { IndexJob, JobAnswer } from "./job.ts";

export interface IndexWorker {
  /** A job that exceeds its time or memory limit fails. Never rejects. */
  run(job: IndexJob): Promise<JobAnswer>;
  close(): Promise<void>;
}

/** Time limit for one job, in milliseconds; deleting a source of a million texts takes a while. */
const PATIENCE = 120_000;
/** Memory limits in MiB; a page needs about a hundredth. */
const HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 };

export const createWriter = (name: string): IndexWorker => {
  let thread: Worker | null = null;
  /** Resolves the running job; only one job runs at a time. */
  let settle: (answer: JobAnswer) => void = nobody;
  let last: Promise<unknown> = Promise.resolve();

  const begin = (): Worker => {
    const made = new Worker(new URL("./writer-thread.ts", import.meta.url), {
      workerData: name,
      execArgv: [],
      resourceLimits: HEAP,
    });
    const ended = (why: string): void => {
      if (thread !== made) return;
      thread = null;
      settle({ kind: "failed", why });
    };
    made.on("message", (answer: JobAnswer) => settle(answer));
    made.on("error", (error) => ended(error.message));
    made.on("exit", () => ended("its thread has ended"));
    return made;
  };

  const ask = async (job: IndexJob): Promise<JobAnswer> => {
    const { promise, resolve } = Promise.withResolvers<JobAnswer>();
    settle = resolve;
    const worker = (thread ??= begin());
    worker.ref();
    const timer = setTimeout(() => resolve({ kind: "failed", why: SLOW }), PATIENCE);
    worker.postMessage(job, []);
    const answer = await promise;
    clearTimeout(timer);
    settle = nobody;
    worker.unref();
    if (answer.kind === "failed" && answer.why === SLOW) {
      thread = null;
      await worker.terminate();
    }
    return answer;
  };

  return {
    run: (job) => {
      const answer = last.then(() => ask(job));
      last = answer;
      return answer;
    },
    close: async () => {
      await last;
      const ending = thread;
      thread = null;
      await ending?.terminate();
    },
  };
};

const nobody = (): void => undefined;

const SLOW = "it took too long";
