/** `pdftotext` as a package (docs/design/dependencies.md), run in the command's own sandbox: the host reads no PDF. */

import { basename, join } from "node:path";
import type { Mount, Probe } from "../../sandbox/types.ts";
import { sandboxPathOf } from "../workspace/disk/layout.ts";
import { NODE, packageMounts, readOnly } from "./node-program.ts";

export interface Program {
  readonly mounts: readonly Mount[];
  /** Directory of the program, one of `mounts`. */
  readonly bin: Mount;
  readonly env: Readonly<Record<string, string>>;
}

const CHILD = readOnly(join(import.meta.dirname, "pdf/child"), "pdf");

/** Null if the package is not installed. */
export const findPdfProgram = (probe: Pick<Probe, "mounts">): Program | null => {
  try {
    const mounts = packageMounts("unpdf");
    if (mounts.length === 0) return null;
    const node = join(sandboxPathOf({ probe }, NODE), basename(process.execPath));
    return { mounts: [NODE, CHILD, ...mounts], bin: CHILD, env: { PARLEY_NODE: node } };
  } catch {
    return null;
  }
};
