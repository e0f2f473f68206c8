/** Replaces a file in one step, readable by its owner alone. Synchronous, so that no signal handler runs in between. */

import {
  chownSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const MARK = ".setup-";

/** Throws if the folder cannot be written. */
export const writePrivateFile = (path: string, text: string): void => {
  const target = targetOf(path);
  const folder = dirname(target);
  const part = `${target}${MARK}${process.pid}`;
  try {
    const file = openSync(part, "wx", 0o600);
    try {
      fchmodSync(file, 0o600);
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    keepOwner(target, part);
    renameSync(part, target);
  } catch (cause) {
    rmSync(part, { force: true });
    throw cause;
  }
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};

/** File that is written: the end of the link if `path` is one. */
export const targetOf = (path: string): string => {
  if (existsSync(path)) return realpathSync(path);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? resolve(dirname(path), readlinkSync(path)) : path;
};

/** Root may set up the folder of another user, who must still be able to read the file. */
const keepOwner = (target: string, part: string): void => {
  if (!existsSync(target)) return;
  const { uid, gid } = statSync(target);
  const own = statSync(part);
  if (uid !== own.uid || gid !== own.gid) chownSync(part, uid, gid);
};

/** Removes the parts that a killed run left. The caller excludes other runs. */
export const sweepPrivateParts = (path: string): void => {
  const target = targetOf(path);
  for (const name of readdirSync(dirname(target))) {
    if (name.startsWith(`${basename(target)}${MARK}`)) rmSync(join(dirname(target), name), { force: true });
  }
};

/** Null if files can be created next to `path`, otherwise the system's reason. */
export const refusalToWrite = (path: string): string | null => {
  const target = targetOf(path);
  const part = `${target}${MARK}${process.pid}`;
  try {
    closeSync(openSync(part, "wx", 0o600));
    rmSync(part);
    return null;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
};
