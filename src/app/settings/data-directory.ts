/** Tests the data directory by writing a file instead of reading its mode. */

import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { exposedIn, OPEN } from "../../settings/exposed.ts";

type DataDirectory =
  | { readonly kind: "ready" }
  | { readonly kind: "invalid"; readonly problems: readonly [string] };

/** Folder in the data directory while `parley restore` fills it. */
export const UNDER_WAY = ".restore-under-way";

export const prepareDataDirectory = (directory: string): DataDirectory => {
  try {
    const exposed = exposedIn(resolve(directory));
    if (exposed !== null) {
      return invalid(`${directory} is in ${exposed}, ${OPEN}`);
    }
    if (existsSync(join(directory, UNDER_WAY))) {
      return invalid(
        `${directory} is being restored, or a restore was interrupted: run parley restore again`,
      );
    }
    makeAbove(dirname(resolve(directory)));
    if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
    const trial = join(directory, `.trial-${process.pid}`);
    writeFileSync(trial, "trial", { mode: 0o600 });
    rmSync(trial);
    return { kind: "ready" };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return invalid(`${directory} cannot be written: ${why}`);
  }
};

const invalid = (problem: string): DataDirectory => ({ kind: "invalid", problems: [problem] });

/** Other users may traverse the folders to reach their checkouts. Mkdir's recursion never ends under /proc (Node 24). */
export const makeAbove = (folder: string): void => {
  if (existsSync(folder)) return;
  makeAbove(dirname(folder));
  mkdirSync(folder);
  chmodSync(folder, 0o711);
};
