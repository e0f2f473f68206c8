/**
 * The outer bound of tests that let something loose: it holds though the launcher under test should not. What runs as
 * the given uids can make no more than `MOST` processes, and dies when its time is up, whoever is left to see to it.
 */

import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Processes of one uid, the sandbox's own included. */
export const MOST = 150;

/** A command that starts another one so bounded; every uid that it becomes is. */
export const OUTER: readonly string[] = ["/usr/bin/prlimit", `--nproc=${MOST}:${MOST}`];

/** Twice each: the first round stops what forks, so that the last finds everything. */
const strikeAt = (uid: number): readonly string[] => [
  "/usr/bin/setpriv",
  `--reuid=${uid}`,
  "--clear-groups",
  "/bin/bash",
  "-c",
  "kill -STOP -1; kill -STOP -1; kill -KILL -1; kill -KILL -1",
];

export interface Killer {
  /** The danger is over: nothing is killed. Throws when it came to that before. */
  disarm(): void;
}

/** Kills everything that these uids run, from a process of its own, unless disarmed within the time. */
export const armKiller = (uids: readonly number[], seconds: number): Killer => {
  const strikes = uids.map((uid) =>
    strikeAt(uid)
      .map((word) => `'${word}'`)
      .join(" "),
  );
  const child = spawn("/bin/sh", ["-c", `sleep ${seconds}; ${strikes.join("; ")}`], {
    detached: true,
    stdio: "ignore",
  });
  child.unref();
  return {
    disarm: () => {
      if (child.exitCode !== null) throw new Error("the test's own killer had to end it");
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    },
  };
};

/** Kills it now. */
export const strike = (uids: readonly number[]): void => {
  for (const uid of uids) {
    const [program = "", ...rest] = strikeAt(uid);
    execFileSync(program, rest, { stdio: "ignore" });
  }
};

/** How many processes run as one of these uids, on the whole machine, without what waits for a command (launcher/server/ready.c). */
export const countOf = (uids: readonly number[]): number => {
  const ours = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => factsOf(pid))
    .filter(({ owner }) => uids.includes(owner));
  const waiting = ours
    .filter(({ name }) => name === "parley-warm")
    .flatMap(({ pid, parent }) => [pid, parent]);
  return ours.filter(({ pid, name }) => !(/^parley-(warm|hold)$/.test(name) && waiting.includes(pid))).length;
};

/** Nothing when it has just ended. */
const factsOf = (
  pid: string,
): readonly {
  readonly pid: string;
  readonly parent: string;
  readonly name: string;
  readonly owner: number;
}[] => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const field = (name: string): string => new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(status)?.[1] ?? "";
    return [{ pid, parent: field("PPid"), name: field("Name"), owner: Number(field("Uid")) }];
  } catch {
    return [];
  }
};
