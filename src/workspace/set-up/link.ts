/**
 * Lays one tree over another by hard links, so that a thousand read-only trees with the same dependencies hold them once.
 * Host code may: both are out of every command's hands. No file is opened, no link is followed, nothing that is there
 * is replaced.
 */

import type { Dirent } from "node:fs";
import { link, lstat, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";

/** At once, of one directory. */
const TOGETHER = 64;

/** `to` exists; nobody writes in either. Throws what the file system throws. */
export const layOver = async (from: string, to: string): Promise<void> => {
  const entries = await readdir(from, { withFileTypes: true });
  const directories = entries.filter((entry) => entry.isDirectory());
  const others = entries.filter((entry) => !entry.isDirectory());
  for (let i = 0; i < others.length; i += TOGETHER) {
    await Promise.all(others.slice(i, i + TOGETHER).map((entry) => layOne(entry, from, to)));
  }
  for (const { name } of directories) {
    const target = join(to, name);
    await mkdir(target).catch(unlessThere);
    // What the commit has in its place stays, a link to elsewhere above all.
    if ((await lstat(target)).isDirectory()) await layOver(join(from, name), target);
  }
};

const layOne = async (entry: Dirent, from: string, to: string): Promise<void> => {
  const source = join(from, entry.name);
  const target = join(to, entry.name);
  if (entry.isFile()) await link(source, target).catch(unlessThere);
  if (entry.isSymbolicLink()) await symlink(await readlink(source), target).catch(unlessThere);
};

const unlessThere = (error: unknown): void => {
  if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
};
