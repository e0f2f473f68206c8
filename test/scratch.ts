/** Directories for the tests of a file. `test/set-up.ts` removes them after the file. */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const directories: string[] = [];

export const scratch = (name: string): string => {
  const directory = mkdtempSync(join(tmpdir(), `parley-${name}-`));
  directories.push(directory);
  return directory;
};

/** Removes the directories of the file that ends. Workers share their modules, so a hook of this module would run once. */
export const removeScratch = (): void => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
};

/** The folder of programs that are built once for a run. `test/run.ts` removes it. */
export const BUILDS = "parley-builds";

export const buildsFolder = (): string => {
  const folder = join(tmpdir(), BUILDS);
  mkdirSync(folder, { recursive: true });
  return folder;
};
