/** Control groups handed to an ordinary user, as a service manager would: by root, in the hierarchies of version 1. */

import { chownSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";

const CONTROLLERS = ["memory", "pids", "cpu"] as const;

export interface Delegated {
  /** A command that starts another one inside the groups. */
  readonly through: readonly string[];
  /** To be called when nothing runs in them any more. */
  remove(): void;
}

/** Null with the reason printed where this machine has no such hierarchies or they cannot be written. */
export const delegateGroups = (owner: number, name: string): Delegated | null => {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const own = readFileSync("/proc/self/cgroup", "utf8").split("\n");
  const made: string[] = [];
  try {
    for (const controller of CONTROLLERS) {
      const mount = mounts.map((line) => line.split(" ")).find((words) => isOf(words, controller));
      const path = own
        .map((line) => line.split(":"))
        .find((words) => words[1]?.split(",").includes(controller));
      if (mount === undefined || path === undefined)
        throw new Error(`no version 1 hierarchy of ${controller}`);
      const directory = `${mount[4]}${path[2] === "/" ? "" : path[2]}/${name}`;
      mkdirSync(directory);
      made.push(directory);
      for (const file of ["", "/cgroup.procs", "/tasks"]) chownSync(`${directory}${file}`, owner, owner);
    }
  } catch (error) {
    console.log(
      `skipped: no delegated control groups: ${error instanceof Error ? error.message : String(error)}`,
    );
    for (const directory of made) rmdirSync(directory);
    return null;
  }
  const enter = made.map((directory) => `echo $$ > ${directory}/cgroup.procs`).join(" && ");
  return {
    through: ["/bin/sh", "-c", `${enter} && exec "$@"`, "sh"],
    remove: () => {
      for (const directory of made) removeGroup(directory);
    },
  };
};

/** With the groups in it that a killed server left. */
const removeGroup = (directory: string): void => {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) removeGroup(join(directory, entry.name));
  }
  rmdirSync(directory);
};

/** A line of mountinfo: fields, a dash, the type, the source, the options of the file system. */
const isOf = (words: readonly string[], controller: string): boolean => {
  const dash = words.indexOf("-");
  return words[dash + 1] === "cgroup" && (words[dash + 3] ?? "").split(",").includes(controller);
};
