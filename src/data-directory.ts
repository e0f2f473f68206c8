/** The data directory: made where it is missing, and tried by writing into it, not judged by its mode. */

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { exposedIn } from "./exposed.ts";

export type DataDirectory =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly message: string };

export const prepareDataDirectory = (directory: string): DataDirectory => {
  try {
    const exposed = exposedIn(resolve(directory));
    if (exposed !== null) {
      const message = `${directory} lies in ${exposed}, which every command of an agent may read; choose another place`;
      return { kind: "failed", message };
    }
    make(directory);
    const trial = join(directory, `.trial-${process.pid}`);
    writeFileSync(trial, "trial", { mode: 0o600 });
    rmSync(trial);
    return { kind: "ready" };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return { kind: "failed", message: `${directory} cannot be written: ${why}` };
  }
};

/** Not mkdir's own recursion: under /proc it never ends (Node 24). */
const make = (directory: string): void => {
  if (existsSync(directory)) return;
  make(dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
};
