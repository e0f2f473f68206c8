/**
 * Reads scripts in a thread of its own, one at a time in the order in which they come. The thread is started with the
 * first one and kept; it is ended when it takes too long, or ends by itself when its memory is used up, and the next
 * script gets a new one.
 */
import { Worker } from "node:worker_threads";
import { z } from "zod";
import type { Verdict } from "./verdict.ts";

export interface Reader {
  /** Null when `signal` was aborted before the verdict. Never rejects. */
  read(script: string, signal: AbortSignal): Promise<Verdict | null>;
}

/** The reading itself stops after 1 s of processor time, with what it has; this is for all that does not stop. */
const LIMIT_MS = 2_000;

/** For a thread to load the grammar: a tenth of a second, more on a busy machine. */
const START_MS = 20_000;

/** Megabytes that a thread may fill with what it has read. */
const MEMORY = 256;

/** The script may have earned a refusal, but that would have been a courtesy. */
const UNREAD: Verdict = { refusal: null, complete: false };

/** `limitMs` counts from the moment when a thread that is ready gets the script. */
export const createReader = (limitMs = LIMIT_MS): Reader => {
  let thread: Worker | null = null;
  let turn: Promise<undefined> = Promise.resolve(undefined);

  const started = async (): Promise<Worker | null> => {
    if (thread !== null) return thread;
    const worker = startThread();
    if ((await answerOf(worker, START_MS)) !== null) thread = worker;
    else void worker.terminate();
    return thread;
  };

  const readNow = async (script: string, signal: AbortSignal): Promise<Verdict> => {
    const worker = signal.aborted ? null : await started();
    if (worker === null) return UNREAD;
    worker.postMessage(script, []);
    const answer = Answer.safeParse(await answerOf(worker, limitMs));
    if (answer.success) return answer.data;
    thread = null;
    void worker.terminate();
    return UNREAD;
  };

  /** After everything that came before; none of it rejects. */
  const readNext = async (script: string, signal: AbortSignal): Promise<Verdict> => {
    const before = turn;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    turn = promise;
    await before;
    const verdict = await readNow(script, signal);
    resolve(undefined);
    return verdict;
  };

  return {
    read: async (script, signal) => {
      const { promise, resolve } = Promise.withResolvers<null>();
      const giveUp = (): void => resolve(null);
      if (signal.aborted) giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      const verdict = await Promise.race([promise, readNext(script, signal)]);
      signal.removeEventListener("abort", giveUp);
      return verdict;
    },
  };
};

const Answer: z.ZodType<Verdict> = z.object({ refusal: z.string().nullable(), complete: z.boolean() });

const startThread = (): Worker => {
  const worker = new Worker(new URL("./reader-thread.ts", import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY },
  });
  worker.unref();
  // Its end follows, and that is what answerOf waits for.
  worker.on("error", () => undefined);
  return worker;
};

/** The thread's next message; null when it ends first, or after `millis`. */
const answerOf = async (worker: Worker, millis: number): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const give = (): void => resolve(null);
  const timer = setTimeout(give, millis);
  worker.once("message", resolve);
  worker.once("exit", give);
  const answer = await promise;
  clearTimeout(timer);
  worker.off("message", resolve);
  worker.off("exit", give);
  return answer;
};
