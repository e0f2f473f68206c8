/** Directories that every command may read (sandbox/launcher/confine/landlock.c). Secrets must not be stored there. */

import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";

const READABLE = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/etc"] as const;

/** `path` is absolute; links are resolved. */
export const exposedIn = (path: string): string | null => {
  const real = realpathSync(nearestExisting(path));
  return READABLE.find((top) => real === top || real.startsWith(`${top}/`)) ?? null;
};

/** Text that follows the directory in a sentence. */
export const OPEN = "which every command of an agent may read; choose another directory";

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)));
