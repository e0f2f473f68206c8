/**
 * Scratch directories in memory: tests make and remove files by the hundred thousand, and wait for disks that take each
 * commit to its platters. The mount namespace goes with the run, and all that was left in it.
 */

import { spawnSync } from "node:child_process";
import { freemem, release } from "node:os";

/** A directory that every Linux has. */
const PLACE = "/mnt";
const MOUNT = 'mount -t tmpfs -o mode=1777 tmpfs "$0" && exec "$@"';
const ENOUGH = 8 * 2 ** 30;

/** Since Linux 6.6 files in memory have mapped owners and attributes, as those on a disk have. */
const isLikeDisk = (): boolean => {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 6 || (major === 6 && minor >= 6);
};

const inMemory = (...command: readonly string[]): readonly string[] => [
  "-m",
  "sh",
  "-c",
  MOUNT,
  PLACE,
  ...command,
];

/** Begins this process anew there, where that can be had. */
export const moveToMemory = (): void => {
  if (process.env["TEST_MEMORY"] !== undefined || freemem() < ENOUGH || !isLikeDisk()) return;
  if (spawnSync("unshare", [...inMemory("true")]).status !== 0) return;
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.("/usr/bin/unshare", ["unshare", ...inMemory(...again)], {
    ...process.env,
    TEST_MEMORY: PLACE,
  });
};
