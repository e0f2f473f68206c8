/**
 * Sends questions to a separate process, one at a time and in order. The process starts with the first question. It is ended if
 * it takes too long, uses up its memory, or gets no question for a while, so that its memory is freed in every case.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { z } from "zod";

export interface Process<Q, A> {
  /** `aborted`: `signal` was aborted before the answer. `unread`: no answer arrived. Never rejects. */
  ask(question: Q, signal: AbortSignal): Promise<Asked<A>>;
}

type Asked<A> =
  | { readonly kind: "answer"; readonly answer: A }
  | { readonly kind: "unread" }
  | { readonly kind: "aborted" };

interface ProcessOptions<A> {
  /** File that the process runs: it sends `ready` once, then one answer for each question. */
  readonly file: URL;
  readonly answer: z.ZodType<A>;
  /** Time limit for one question in milliseconds, starting when a ready process receives the question. */
  readonly limitMs: number;
  /** Milliseconds without a question after which the process is ended. */
  readonly idleMs?: number;
}

/** Time limit for the process to load its code, which takes a fifth of a second, or more on a busy machine. */
const START_MS = 20_000;

/** Commands arrive in bursts while the agent works. The first command after a pause waits for a new process. */
const IDLE_MS = 10_000;

/** Limits of JavaScript's heap in megabytes, because some texts would use gigabytes. */
const MEMORY = ["--max-old-space-size=192", "--max-semi-space-size=8"];

/** Questions are structured-cloned. */
export const createProcess = <Q extends object | string, A>({
  file,
  answer,
  limitMs,
  idleMs = IDLE_MS,
}: ProcessOptions<A>): Process<Q, A> => {
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const started = async (): Promise<ChildProcess | null> => {
    if (child !== null) return child;
    const starting = start(file);
    if ((await answerOf(starting, START_MS)) !== null) child = starting;
    else starting.kill("SIGKILL");
    return child;
  };

  const end = (): void => {
    child?.kill("SIGKILL");
    child = null;
  };

  const askNow = async (question: Q, signal: AbortSignal): Promise<Asked<A>> => {
    clearTimeout(idle);
    const asked = signal.aborted ? null : await started();
    if (asked === null) return { kind: "unread" };
    // A process that has just ended sends no answer, and answerOf notices its exit.
    asked.send(question, () => undefined);
    const parsed = answer.safeParse(await answerOf(asked, limitMs));
    if (!parsed.success) {
      end();
      return { kind: "unread" };
    }
    idle = setTimeout(end, idleMs).unref();
    return { kind: "answer", answer: parsed.data };
  };

  return {
    ask: async (question, signal) => {
      const { promise, resolve } = Promise.withResolvers<Asked<A>>();
      const giveUp = (): void => resolve({ kind: "aborted" });
      if (signal.aborted) giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      // Runs after all earlier questions, which never reject.
      const turn = last.then(() => askNow(question, signal));
      last = turn;
      const asked = await Promise.race([promise, turn]);
      signal.removeEventListener("abort", giveUp);
      return asked;
    },
  };
};

/** The process inherits nothing from the host's environment. The process ends with the host, whose end closes the channel. */
const start = (file: URL): ChildProcess => {
  const child = fork(fileURLToPath(file), [], {
    env: {},
    execArgv: MEMORY,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.unref();
  child.channel?.unref();
  // The exit follows, which answerOf handles.
  child.on("error", () => undefined);
  return child;
};

/** Resolves with the process's next message; null if the process ends first, or after `millis`. */
const answerOf = async (child: ChildProcess, millis: number): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const give = (): void => resolve(null);
  const timer = setTimeout(give, millis);
  if (child.exitCode !== null || child.signalCode !== null) give();
  child.once("message", resolve);
  child.once("exit", give);
  child.once("error", give);
  const answer = await promise;
  clearTimeout(timer);
  child.off("message", resolve);
  child.off("exit", give);
  child.off("error", give);
  return answer;
};
