/** Directories that an agent has filled, removed whatever it left in them. */

import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";

/**
 * `path` is below a directory of the host's own, and nothing runs that could still change what is in it. Closed
 * directories are opened first, and paths longer than the system takes are walked from within: no link is followed.
 * Throws what is in the way.
 */
export const removeTree = async (path: string): Promise<void> => {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    const run = promisify(execFile);
    await run("chmod", ["-R", "u+rwX", "--", path]).catch(() => null);
    await run("rm", ["-rf", "--", path]);
  }
};
