/**
 * Asks a thread of its own, one question at a time in the order in which they come. The thread is started with the
 * first one and kept; it is ended when it takes too long, or ends by itself when its memory is used up, and the next
 * question gets a new one.
 */
import { Worker } from "node:worker_threads";
import type { z } from "zod";

export interface Thread<Q, A> {
  /** `aborted` when `signal` was aborted before the answer; `unread` when there was none. Never rejects. */
  ask(question: Q, signal: AbortSignal): Promise<Asked<A>>;
}

export type Asked<A> =
  | { readonly kind: "answer"; readonly answer: A }
  | { readonly kind: "unread" }
  | { readonly kind: "aborted" };

export interface ThreadOptions<A> {
  /** The file that the thread runs: it posts `ready` once, then one answer for each question. */
  readonly file: URL;
  readonly answer: z.ZodType<A>;
  /** Milliseconds for one question, from the moment when a thread that is ready gets it. */
  readonly limitMs: number;
}

/** For a thread to load the grammar: a tenth of a second, more on a busy machine. */
const START_MS = 20_000;

/** Megabytes that a thread may fill with what it has read. */
const MEMORY = 256;

/** Questions are structured-cloned. */
export const createThread = <Q, A>({ file, answer, limitMs }: ThreadOptions<A>): Thread<Q, A> => {
  let thread: Worker | null = null;
  let turn: Promise<undefined> = Promise.resolve(undefined);

  const started = async (): Promise<Worker | null> => {
    if (thread !== null) return thread;
    const worker = startThread(file);
    if ((await answerOf(worker, START_MS)) !== null) thread = worker;
    else void worker.terminate();
    return thread;
  };

  const askNow = async (question: Q, signal: AbortSignal): Promise<Asked<A>> => {
    const worker = signal.aborted ? null : await started();
    if (worker === null) return { kind: "unread" };
    worker.postMessage(question, []);
    const parsed = answer.safeParse(await answerOf(worker, limitMs));
    if (parsed.success) return { kind: "answer", answer: parsed.data };
    thread = null;
    void worker.terminate();
    return { kind: "unread" };
  };

  /** After everything that came before; none of it rejects. */
  const askNext = async (question: Q, signal: AbortSignal): Promise<Asked<A>> => {
    const before = turn;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    turn = promise;
    await before;
    const asked = await askNow(question, signal);
    resolve(undefined);
    return asked;
  };

  return {
    ask: async (question, signal) => {
      const { promise, resolve } = Promise.withResolvers<Asked<A>>();
      const giveUp = (): void => resolve({ kind: "aborted" });
      if (signal.aborted) giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      const asked = await Promise.race([promise, askNext(question, signal)]);
      signal.removeEventListener("abort", giveUp);
      return asked;
    },
  };
};

const startThread = (file: URL): Worker => {
  const worker = new Worker(file, {
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
