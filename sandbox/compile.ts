/** Builds the launcher from its source. The same source and compiler produce the same bytes. */

import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";

export const LAUNCHER_SOURCE = join(import.meta.dirname, "launcher");

const FLAGS = "-std=c17 -O2 -static -s -Wl,--build-id=none -fno-ident -fno-asynchronous-unwind-tables".split(
  " ",
);

/** Include folders, because the sources name headers without a path. */
const FOLDERS = ["-I.", "-Iserver", "-Iconfine", "-Ilimits", "-Iattack"];

export const launcherFiles = async (): Promise<readonly string[]> =>
  (await readdir(LAUNCHER_SOURCE, { recursive: true }))
    .filter((name) => /\.[ch]$/.test(name))
    .toSorted((one, other) => (basename(one) < basename(other) ? -1 : 1));

/** Rejects with the compiler's message if compiling fails or no compiler is installed. */
export const compileLauncher = async (compiler: string, output: string): Promise<void> => {
  const sources = (await launcherFiles()).filter((name) => name.endsWith(".c"));
  // The compiler runs in the source folder with bare names, so that no path of this machine enters the binary.
  await promisify(execFile)(compiler, [...FLAGS, ...FOLDERS, ...sources, "-o", output], {
    cwd: LAUNCHER_SOURCE,
  });
};
