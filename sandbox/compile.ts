/** Builds the launcher from its source. The same source and compiler give the same bytes. */

import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export const LAUNCHER_SOURCE = join(import.meta.dirname, "launcher");

const FLAGS = [
  "-std=c17",
  "-O2",
  "-static",
  "-s",
  "-Wl,--build-id=none",
  "-fno-ident",
  "-fno-asynchronous-unwind-tables",
];

/** Rejects with the compiler's words when it fails or is not installed. */
export const compileLauncher = async (compiler: string, output: string): Promise<void> => {
  const sources = (await readdir(LAUNCHER_SOURCE)).filter((name) => name.endsWith(".c")).toSorted();
  // Compiled in its own folder with bare names, so that no path of this machine enters the binary.
  await promisify(execFile)(compiler, [...FLAGS, ...sources, "-o", output], { cwd: LAUNCHER_SOURCE });
};
