/** The data directory: made where it is missing, and tried by writing into it, not judged by its mode. */

import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { exposedIn } from "./exposed.ts";

type DataDirectory = { readonly kind: "ready" } | { readonly kind: "failed"; readonly message: string };

/** In the data directory while `parley restore` fills it. */
export const UNDER_WAY = ".restore-under-way";

export const prepareDataDirectory = (directory: string): DataDirectory => {
  try {
    const exposed = exposedIn(resolve(directory));
    if (exposed !== null) {
      const message = `${directory} lies in ${exposed}, which every command of an agent may read; choose another place`;
      return { kind: "failed", message };
    }
    if (existsSync(join(directory, UNDER_WAY))) {
      const message = `${directory} is being restored, or that was interrupted: run parley restore again`;
      return { kind: "failed", message };
    }
    makeAbove(dirname(resolve(directory)));
    if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
    const trial = join(directory, `.trial-${process.pid}`);
    writeFileSync(trial, "trial", { mode: 0o600 });
    rmSync(trial);
    return { kind: "ready" };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return { kind: "failed", message: `${directory} cannot be written: ${why}` };
  }
};

/**
 * Folders above it may be passed through, under whatever umask: the users that commands have come by them to their
 * checkouts. Not mkdir's own recursion: under /proc it never ends (Node 24).
 */
export const makeAbove = (folder: string): void => {
  if (existsSync(folder)) return;
  makeAbove(dirname(folder));
  mkdirSync(folder);
  chmodSync(folder, 0o711);
};
