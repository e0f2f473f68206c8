/** Builds the launcher from its source. The same source and compiler give the same bytes. */

import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";

export const LAUNCHER_SOURCE = join(import.meta.dirname, "launcher");

const FLAGS = "-std=c17 -O2 -static -s -Wl,--build-id=none -fno-ident -fno-asynchronous-unwind-tables".split(
  " ",
);

/** Where the sources find each other's headers, by bare names. */
const FOLDERS = ["-I.", "-Iserver", "-Iconfine", "-Ilimits", "-Iattack"];

/** Paths of all sources and headers below LAUNCHER_SOURCE, in the order of their names. */
export const launcherFiles = async (): Promise<readonly string[]> =>
  (await readdir(LAUNCHER_SOURCE, { recursive: true }))
    .filter((name) => /\.[ch]$/.test(name))
    .toSorted((one, other) => (basename(one) < basename(other) ? -1 : 1));

/** Rejects with the compiler's words when it fails or is not installed. */
export const compileLauncher = async (compiler: string, output: string): Promise<void> => {
  const sources = (await launcherFiles()).filter((name) => name.endsWith(".c"));
  // Compiled in its own folder with bare names, so that no path of this machine enters the binary.
  await promisify(execFile)(compiler, [...FLAGS, ...FOLDERS, ...sources, "-o", output], {
    cwd: LAUNCHER_SOURCE,
  });
};
