/** The real product as its user starts it: a process of its own, talked to over HTTP. */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

export const root = resolve(import.meta.dirname, "../../..");

export interface RunningHost {
  readonly process: ChildProcess;
  readonly url: string;
  readonly origin: string;
  readonly token: string;
  readonly lines: readonly string[];
  /** Standard error: the log. */
  readonly errors: readonly string[];
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Settles with the exit status, or the signal's name. */
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<number | string>;
}

/**
 * Settles when the console's link is printed, or the address of a host without a console. `bin`: the command, from the root or absolute. `spawned` gets the process
 * before that. `through`: a command that becomes it.
 */
export const startHost = async (
  data: string,
  env: Readonly<Record<string, string>> = {},
  bin = "bin/parley.js",
  spawned: (child: ChildProcess) => void = () => undefined,
  through: readonly string[] = [],
): Promise<RunningHost> => {
  const [command, ...args] = [...through, process.execPath, bin, "start"];
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: process.env["PATH"], PARLEY_DATA: data, PARLEY_PORT: "0", PARLEY_LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  spawned(child);
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  const lines: string[] = [];
  const url = await new Promise<string>((found, failed) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line);
      const [, link] = /^(?:console|listening): (.+)$/.exec(line) ?? [];
      if (link !== undefined) found(link);
    });
    child.once("exit", (code) => failed(new Error(`parley start exited with ${code}: ${errors.join("\n")}`)));
  });
  const { origin, searchParams } = new URL(url);
  const token = searchParams.get("token") ?? "";
  return {
    process: child,
    url,
    origin,
    token,
    lines,
    errors,
    call: async (method, path, body) => {
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        body: answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text,
      };
    },
    stop: async (signal) => {
      const { exitCode, signalCode } = child;
      if (exitCode !== null || signalCode !== null) return exitCode ?? signalCode ?? 0;
      const ended = once(child, "exit");
      child.kill(signal);
      const [code, killedBy] = await ended;
      return code ?? killedBy;
    },
  };
};
