/** Directories for the tests of a file, which go when those are over. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const directories: string[] = [];

export const scratch = (name: string): string => {
  const directory = mkdtempSync(join(tmpdir(), `parley-${name}-`));
  directories.push(directory);
  return directory;
};

/** Hundreds of hosts leave files by the hundred thousand. */
const PATIENCE = 600_000;

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
}, PATIENCE);
