/** Holds a process and what it starts to a share of a core, by a control group of the kernel's. */

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { descendantsOf } from "../../../bench/start/resident.ts";

export interface Hold {
  readonly kind: "held";
  /** Once the processes have ended. */
  end(): Promise<void>;
}

/** Microseconds; what containers are given. */
const PERIOD = 100_000;
const ROOT = "/sys/fs/cgroup";

/** `why` nothing is held: there is no fallback, since a process that is stopped and continued from outside keeps its locks. */
export const holdTo = async (
  pid: number,
  cores: number,
): Promise<Hold | { readonly kind: "free"; readonly why: string }> => {
  const isSecond = existsSync(join(ROOT, "cgroup.controllers"));
  const group = join(ROOT, isSecond ? "" : "cpu", `parley-bench-${pid}`);
  const quota = String(Math.round(cores * PERIOD));
  try {
    if (isSecond) enable();
    mkdirSync(group);
    if (isSecond) writeFileSync(join(group, "cpu.max"), `${quota} ${PERIOD}`);
    else {
      writeFileSync(join(group, "cpu.cfs_period_us"), String(PERIOD));
      writeFileSync(join(group, "cpu.cfs_quota_us"), quota);
    }
    for (const one of [pid, ...(await descendantsOf(pid))])
      writeFileSync(join(group, "cgroup.procs"), String(one));
  } catch (error) {
    return { kind: "free", why: `control groups cannot be used here: ${String(error)}` };
  }
  const end = async (): Promise<void> => {
    for (let tries = 0; tries < 50; tries += 1) {
      try {
        return rmdirSync(group);
      } catch {
        await sleep(100);
      }
    }
  };
  return { kind: "held", end };
};

const enable = (): void => {
  const file = join(ROOT, "cgroup.subtree_control");
  if (!readFileSync(file, "utf8").split(/\s+/).includes("cpu")) writeFileSync(file, "+cpu");
};
