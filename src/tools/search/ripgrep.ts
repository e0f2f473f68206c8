/** ripgrep, from an npm package and never from the host: its directory is mounted read-only beside the checkout. */
import { dirname } from "node:path";
import type { Mount } from "../../../sandbox/types.ts";

/** Null where the package has no binary for this machine: then there is no keyword_search. */
export const findRipgrep = async (): Promise<Mount | null> => {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return { source: dirname(rgPath), target: "/opt/parley/bin", write: false };
  } catch {
    // The package says by throwing that its part for this platform is not installed.
    return null;
  }
};
