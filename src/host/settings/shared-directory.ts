/** The directory that all of several hosts see: pictures, files and changed checkouts travel through it. */

import { statSync } from "node:fs";
import type { Config } from "./config.ts";
import { exposedIn } from "./exposed.ts";

/** Null where each host keeps its own. */
export const sharedDirectory = ({ PARLEY_SHARED: shared }: Pick<Config, "PARLEY_SHARED">): string | null =>
  shared === undefined || shared === "none" ? null : shared;

/** Not made where it is missing: an empty directory in the place of one that is not mounted would look like a loss. */
export const sharedProblem = (config: Pick<Config, "PARLEY_SHARED">): string | null => {
  const shared = sharedDirectory(config);
  if (shared === null) return null;
  const exposed = exposedIn(shared);
  if (exposed !== null)
    return `PARLEY_SHARED: ${shared} lies in ${exposed}, which every command of an agent may read; choose another place`;
  try {
    if (statSync(shared).isDirectory()) return null;
  } catch {
    // Said below.
  }
  return `PARLEY_SHARED: ${shared} is no directory; mount it, or make it once for all hosts`;
};
