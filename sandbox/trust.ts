/**
 * Whether a program is what it is for good: a file that only root and this process's own user can
 * write, in folders where nobody else can put another in its place. That user's own commands write neither: their
 * mounts and Landlock keep them from it.
 */

import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/** Null, or who could change it, in words. Rejects where there is no such file. */
export const trustFault = async (path: string): Promise<string | null> => {
  const file = await realpath(path);
  const { mode, uid } = await stat(file);
  if (!isTrusted(uid)) return `${path} belongs to user ${uid}`;
  if ((mode & (GROUP_WRITES | OTHERS_WRITE)) !== 0) return `${path} is writable by others`;
  if ((mode & 0o111) === 0) return `${path} is not executable`;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const fault = await folderFault(folder);
    if (fault !== null) return fault;
    if (folder === "/") return null;
  }
};

/** In one with the sticky bit, as /tmp, entries are their owners'. Groups of this process may write: people who share it. */
const folderFault = async (folder: string): Promise<string | null> => {
  const { mode, uid, gid } = await stat(folder);
  if (!isTrusted(uid)) return `its folder ${folder} belongs to user ${uid}`;
  if ((mode & STICKY) !== 0) return null;
  if ((mode & OTHERS_WRITE) !== 0) return `its folder ${folder} is writable by others`;
  const ours = [0, process.getegid?.(), ...(process.getgroups?.() ?? [])];
  if ((mode & GROUP_WRITES) !== 0 && !ours.includes(gid))
    return `its folder ${folder} is writable by group ${gid}`;
  return null;
};

const isTrusted = (uid: number): boolean => uid === 0 || uid === process.geteuid?.();
