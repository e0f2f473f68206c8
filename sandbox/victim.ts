/** A process of the host for the self-test to go for, whose number no process of the sandbox's own has. */

import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * In a container Parley may be process 1, and in a pid namespace of the sandbox its number would name the supervisor.
 * Such a namespace begins with a handful of processes.
 */
const OWN = 20;

export interface Victim {
  readonly pid: number;
  end(): void;
}

/** This process, or one beside it where its own number is too low to tell. Rejects where that cannot be started. */
export const createVictim = async (): Promise<Victim> => {
  if (process.pid > OWN) return { pid: process.pid, end: () => undefined };
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  await once(child, "spawn");
  return { pid: child.pid ?? process.pid, end: () => void child.kill("SIGKILL") };
};
