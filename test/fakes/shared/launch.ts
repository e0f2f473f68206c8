/** A fake as a process of its own, talked to through its routes under `/__fake/`; killed when the test ends. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { z } from "zod";

/** `main`: the fake's program. `announced`: the line that it prints when it listens. */
export const launchFake = async <T extends { readonly url: string }>(
  main: URL,
  announced: z.ZodType<T>,
  env: Readonly<Record<string, string>> = {},
) => {
  const child = spawn(process.execPath, [main.pathname], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [line] = await once(createInterface(child.stdout), "line");
  const server = announced.parse(JSON.parse(String(line)));
  /** With a body it is a POST. */
  const told = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(
      `${server.url}/__fake/${path}`,
      body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
    );
    return { status: response.status, ...z.record(z.string(), z.unknown()).parse(await response.json()) };
  };
  /** Closes its standard input, which ends it; its exit code and signal. */
  const end = async (): Promise<unknown[]> => {
    const exited = once(child, "exit");
    child.stdin.end();
    return exited;
  };
  return { server, told, end };
};
