/** The policies under which a conversation's commands run. Pure. */

import { join } from "node:path";
import type { Policy } from "../../sandbox/types.ts";
import type { Permission } from "../core/words.ts";
import { configEnvironment } from "./git.ts";
import { objectsMount, SEEN } from "./layout.ts";

export interface Holding {
  readonly permission: Permission;
  /** `Probe.mounts`: whether commands see fixed paths or the host's. */
  readonly mounts: boolean;
  /** The conversation's own directory. */
  readonly thread: string;
  /** What `/work` shows: the shared tree, or the private checkout once there is one. */
  readonly work: string;
  /** The generation of the mirror whose objects the checkout borrows. */
  readonly generation: string;
  readonly slot: number;
}

/** Restricted reads, and its home vanishes with the command; Unrestricted writes its checkout and its home (D27). */
export const policyOf = (holding: Holding): Policy => {
  const write = holding.permission === "unrestricted";
  const work = {
    /* Without mounts the name of the directory has to stay the same: it may be a link to the shared tree. */
    source: holding.mounts ? holding.work : workOf(holding.thread),
    target: SEEN.work,
    write,
  };
  const objects = objectsMount(holding.generation);
  const home = { source: homeOf(holding.thread), target: SEEN.home, write: true };
  return {
    profile: holding.permission,
    network: write ? "egress" : "none",
    mounts: write ? [work, objects, home] : [work, objects],
    cwd: cwdOf(holding.thread, holding.mounts),
    identity: holding.slot,
  };
};

/** The working directory as commands see it: the same for the conversation's life (BED-010). */
export const cwdOf = (thread: string, mounts: boolean): string => (mounts ? SEEN.work : workOf(thread));

export const seenHome = (holding: Holding): string => {
  if (holding.permission === "restricted") return "/tmp";
  return holding.mounts ? SEEN.home : homeOf(holding.thread);
};

export const workOf = (thread: string): string => join(thread, "work");
export const homeOf = (thread: string): string => join(thread, "home");

/** For every command: its checkout belongs to another user, and reading must not write an index. */
export const commandEnvironment = (cwd: string): Readonly<Record<string, string>> => ({
  PWD: cwd,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  ...configEnvironment({ "safe.directory": "*" }),
});
