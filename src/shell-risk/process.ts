/**
 * Asks a process of its own, one question at a time in the order in which they come. The process is started with the
 * first question and ended when it takes too long, when its memory is used up, and when nothing was asked for a while:
 * whatever it has read, its memory goes with it.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { z } from "zod";

export interface Process<Q, A> {
  /** `aborted` when `signal` was aborted before the answer; `unread` when there was none. Never rejects. */
  ask(question: Q, signal: AbortSignal): Promise<Asked<A>>;
}

type Asked<A> =
  | { readonly kind: "answer"; readonly answer: A }
  | { readonly kind: "unread" }
  | { readonly kind: "aborted" };

interface ProcessOptions<A> {
  /** The file that the process runs: it sends `ready` once, then one answer for each question. */
  readonly file: URL;
  readonly answer: z.ZodType<A>;
  /** Milliseconds for one question, from the moment when a process that is ready gets it. */
  readonly limitMs: number;
  /** Milliseconds without a question after which the process is ended. */
  readonly idleMs?: number;
}

/** For a process to load what it runs: a fifth of a second, more on a busy machine. */
const START_MS = 20_000;

/** Commands come in bursts while the agent works; the next one after a pause waits for a new process. */
const IDLE_MS = 10_000;

/** Megabytes of JavaScript's heap: some texts make it take gigabytes. */
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
    // A process that has ended meanwhile gives no answer, and that is waited for.
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
      // After everything that came before; none of it rejects.
      const turn = last.then(() => askNow(question, signal));
      last = turn;
      const asked = await Promise.race([promise, turn]);
      signal.removeEventListener("abort", giveUp);
      return asked;
    },
  };
};

/** Nothing of the host's environment goes with it; it ends with the host, whose end closes the channel. */
const start = (file: URL): ChildProcess => {
  const child = fork(fileURLToPath(file), [], {
    env: {},
    execArgv: MEMORY,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.unref();
  child.channel?.unref();
  // Its end follows, and that is what answerOf waits for.
  child.on("error", () => undefined);
  return child;
};

/** The process's next message; null when it ends first, or after `millis`. */
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
