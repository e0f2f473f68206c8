/** A process of the benchmark's own that tells what it has to say in lines. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** The next line of its standard output. Rejects when it has ended instead. */
  line(): Promise<string>;
  /** Lines up to and with the first that `wanted` admits. */
  lineWith(wanted: RegExp): Promise<RegExpExecArray>;
  write(text: string): void;
  /** Ends its standard input, or sends SIGTERM to one that has none; waits until it is gone. */
  end(): Promise<void>;
}

/** Runs this Node with `args`; `env` is the whole environment beside PATH. */
export const launch = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Child =>
  launchProgram(process.execPath, args, { PATH: process.env["PATH"], ...env });

/** Another program; `env` is its whole environment. */
export const launchProgram = (
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  input: "pipe" | "ignore" = "pipe",
): Child => own(spawn(path, args, { env, stdio: [input, "pipe", "inherit"] }));

const own = (child: ChildProcess): Child => {
  const { pid, stdout, stdin } = child;
  if (pid === undefined || stdout === null) throw new Error("the process could not be started");
  const gone = once(child, "exit");
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const next = await lines.next();
    if (next.done === true) throw new Error(`process ${pid} ended before it said what was awaited`);
    return next.value;
  };
  const end = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      if (stdin === null) child.kill("SIGTERM");
      else stdin.end();
    }
    // One that hangs would keep a benchmark from its end; a host takes ten seconds at most.
    const late = setTimeout(() => child.kill("SIGKILL"), 20_000);
    await gone;
    clearTimeout(late);
  };
  return {
    pid,
    line,
    lineWith: async (wanted) => {
      for (;;) {
        const found = wanted.exec(await line());
        if (found !== null) return found;
      }
    },
    write: (text) => void stdin?.write(text),
    end,
    [Symbol.asyncDispose]: end,
  };
};
