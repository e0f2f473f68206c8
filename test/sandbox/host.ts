/** A host of its own beside the test's, to be killed. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { ENV, type World } from "./world.ts";

export interface Host {
  readonly host: ChildProcess;
  /** Its spawn server. */
  readonly server: number;
}

/** A process that runs this Restricted command in a sandbox of its own; it is there when the command has written something. */
export const hostOf = async (world: World, argv: readonly string[]): Promise<Host> => {
  const script = `
    import { createSandbox } from ${JSON.stringify(`${import.meta.dirname}/../../sandbox/server.ts`)};
    const sandbox = await createSandbox(${JSON.stringify({ launcher: world.launcher, through: world.through, uidBase: world.uidBase })});
    await sandbox.run(${JSON.stringify({
      policy: world.policy("restricted"),
      argv,
      env: ENV,
      timeoutMs: 60_000,
      keep: { head: 9, tail: 9 },
    })}, { onOutput: (chunk) => process.stdout.write(chunk) });`;
  const host = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(host.stdout, "data");
  const [server] = serversOf(host.pid ?? 0);
  if (server === undefined) throw new Error("the host has no server");
  return { host, server };
};

/** Spawn servers among a process's children, the newest first. */
export const serversOf = (parent: number): readonly number[] =>
  childrenOf(parent)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("launcher\0serve"))
    .toReversed();

export const childrenOf = (parent: number): readonly number[] =>
  readdirSync(`/proc/${parent}/task`)
    .flatMap((task) => readFileSync(`/proc/${parent}/task/${task}/children`, "utf8").trim().split(" "))
    .map(Number)
    .filter((pid) => pid > 0);
