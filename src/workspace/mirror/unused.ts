/** Removes mirrors that no thread and no check of answers has used for days (39.B2). */

import { join } from "node:path";
import type { Mirrors } from "../../ports/workspaces.ts";
import { attemptLogged } from "../git-trouble.ts";
import type { WorkspaceParts } from "../parts.ts";
import { namesIn, UNUSED } from "./pins.ts";

export const createMirrors = ({
  directory,
  clock,
  log,
  swept,
  removeUnused,
}: Pick<WorkspaceParts, "directory" | "clock" | "log" | "swept" | "removeUnused">): Mirrors => ({
  removeUnused: async () => {
    let removed = 0;
    await attemptLogged(log, "mirror: unused ones not removed", {}, async () => {
      await swept();
      for (const key of await namesIn(join(directory, "repos")))
        if (await removeUnused(key, clock.now() - UNUSED)) removed += 1;
    });
    return removed;
  },
});
