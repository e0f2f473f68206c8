/** A checkout for tests without one: every file has forty lines, and those called `gone` are not there. */

import type { Citations } from "../src/ports/workspaces.ts";

export const fortyLines: Citations = {
  check: (_conversation, _base, cited) =>
    Promise.resolve(
      cited
        .filter(({ certain }) => certain)
        .map(({ path, from, to }) => {
          const isThere = !path.includes("gone") && to <= 40;
          return { path, from, to, status: isThere ? "found" : "missing", file: path };
        }),
    ),
};
