import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Layout } from "./layout.ts";
import { unlessMissing } from "./missing.ts";

/**
 * Puts a path out of the way in one step, into a directory that it answers and that a start clears if nobody has before.
 * Null where nothing was. Throws what the file system throws. `prefix`: for who reads the directory's name.
 */
export const moveAway = async (layout: Layout, path: string, prefix: string): Promise<string | null> => {
  await mkdir(layout.staging, { recursive: true });
  const aside = await mkdtemp(join(layout.staging, prefix));
  try {
    await rename(path, join(aside, "it"));
    return aside;
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    return unlessMissing(error);
  }
};
