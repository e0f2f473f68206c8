/**
 * Where the sandbox cannot mount (T2), commands see host paths, and a conversation's directory must still keep its
 * name when the shared tree gives way to a private checkout: until then that name is a symbolic link.
 */

import { lstat, mkdir, readlink, symlink, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes `path` a link to `target`, unless it is one already. */
export const ensureLink = async (path: string, target: string): Promise<void> => {
  if (await isLink(path)) {
    if ((await readlink(path)) === target) return;
    await unlink(path);
  }
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
};

export const unlinkIfLink = async (path: string): Promise<void> => {
  if (await isLink(path)) await unlink(path);
};

const isLink = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isSymbolicLink() ?? false;
