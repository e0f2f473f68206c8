/** Directories of the host that every command may read (sandbox/launcher/confine/landlock.c): no place for a secret. */

import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";

const READABLE = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/etc"] as const;

/** The readable directory that `path` (absolute) lies in, links resolved; null when it lies in none. */
export const exposedIn = (path: string): string | null => {
  const real = realpathSync(nearestExisting(path));
  return READABLE.find((top) => real === top || real.startsWith(`${top}/`)) ?? null;
};

/** Follows the directory in a sentence. */
export const OPEN = "which every command of an agent may read; choose another place";

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)));
