/** A directory of the benchmark's own that goes with its block. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Temporary extends AsyncDisposable {
  readonly path: string;
}

export const temporary = async (): Promise<Temporary> => {
  const path = await mkdtemp(join(tmpdir(), "parley-bench-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
};
