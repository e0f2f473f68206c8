/** A disk as real ones are, for a process of the benchmark's: its fsync takes longer, and nothing else changes. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** What to put into the process's environment. Rejects where no C compiler is found. */
export const slowDisk = async (
  directory: string,
  milliseconds: number,
): Promise<Readonly<Record<string, string>>> => {
  const library = join(directory, "slow-disk.so");
  const source = join(import.meta.dirname, "slow-disk.c");
  await promisify(execFile)("cc", ["-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"]);
  return { LD_PRELOAD: library, SLOW_DISK_US: String(milliseconds * 1_000) };
};
