/** ripgrep, from an npm package and never from the host: its directory is mounted read-only beside the checkout. */
import { dirname } from "node:path";
import type { Mount, Probe } from "../../../sandbox/types.ts";

export interface Ripgrep {
  readonly mount: Mount;
}

/** Null where the package has no binary for this machine: then there is no keyword_search. */
export const findRipgrep = async (): Promise<Ripgrep | null> => {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return { mount: { source: dirname(rgPath), target: "/opt/parley/bin", write: false } };
  } catch {
    // The package says by throwing that its part for this platform is not installed.
    return null;
  }
};

/** The directory that commands find `rg` in. */
export const ripgrepAt = ({ mount }: Ripgrep, probe: Pick<Probe, "mounts">): string =>
  probe.mounts ? mount.target : mount.source;
