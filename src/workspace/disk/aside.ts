/**
 * Agents' directories in the staging area, while they are created or removed, and their ownership. Each start clears the area.
 */

import { execFile } from "node:child_process";
import {
  chmod,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
  unlink,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Sandbox } from "../../../sandbox/types.ts";
import { unlessMissing } from "./durable.ts";
import type { Layout } from "./layout.ts";

const run = promisify(execFile);

/** Directory in the staging area. On disposal, its remaining content is removed. */
interface Aside extends AsyncDisposable {
  readonly path: string;
}

/** Creates a directory that commands can pass through but not write. */
export const makeStagingDir = async ({ staging }: Pick<Layout, "staging">, name: string): Promise<Aside> => {
  await mkdir(staging, { recursive: true });
  const path = await mkdtemp(join(staging, `${name}-`));
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => removeTree(path) };
};

export const makeAsideFor = async (
  sandbox: Pick<Sandbox, "ownerOf">,
  layout: Pick<Layout, "staging">,
  name: string,
  slot: number,
): Promise<Aside> => {
  const aside = await makeStagingDir(layout, name);
  await chownToSlot(sandbox, aside.path, slot);
  return aside;
};

/** Renames into place in one step, replacing a link to the shared tree. */
export const putInPlace = async ({ path }: Aside, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true });
  await unlinkIfLink(to);
  await rename(path, to);
};

/**
 * Asks ext4 to place each subdirectory elsewhere on the disk: without a journal, space for new files next to removed ones is
 * found slowly (16 s for 30,000 files instead of 2). Has no effect on other file systems.
 */
export const spreadOnDisk = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true });
  await run("chattr", ["+T", "--", directory]).catch(() => null);
};

/**
 * Moves anything at `path` away in one step, then removes it. Throws file system errors. `name`: prefix of the staging
 * directory, for people who read it.
 */
export const discardTree = async (layout: Layout, path: string, name: string): Promise<void> => {
  await using aside = await makeStagingDir(layout, name);
  await rename(path, join(aside.path, "it")).catch(unlessMissing);
};

/**
 * Removes a directory whatever an agent left in it. `path` is below a directory of the host, and no process may still change
 * its content. Unreadable directories are made readable first, and paths longer than the system limit are walked from within;
 * no link is followed. Throws if removal fails.
 */
export const removeTree = async (path: string): Promise<void> => {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await run("chmod", ["-R", "u+rwX", "--", path]).catch(() => null);
    await run("rm", ["-rf", "--", path]);
  }
};

/**
 * Gives a new directory, which no other process has seen, and its content to the user of `slot`. Only needed if commands have
 * separate users but no mounts that map ownership (started as root in a container without user namespaces).
 */
export const chownToSlot = async (
  sandbox: Pick<Sandbox, "ownerOf">,
  directory: string,
  slot: number,
): Promise<void> => {
  const owner = sandbox.ownerOf(slot);
  if (owner === null) return;
  for (const name of await readdir(directory, { recursive: true })) {
    await lchown(join(directory, name), owner, owner);
  }
  await lchown(directory, owner, owner);
};

/** Lets commands' users pass through directories; only Parley may list them. */
export const makeTraversable = async (
  sandbox: Pick<Sandbox, "ownerOf">,
  directories: readonly string[],
): Promise<void> => {
  if (sandbox.ownerOf(0) === null) return;
  for (const directory of directories) {
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o711);
  }
};

/**
 * Makes `path` a link to `target`, unless it is one already. If the sandbox cannot mount (T2), commands see host paths, and a
 * conversation's directory must keep its name when a private checkout replaces the shared tree: until then that name is a
 * symbolic link.
 */
export const ensureLink = async (path: string, target: string): Promise<void> => {
  if ((await linkAt(path)) === target) return;
  await unlinkIfLink(path);
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
};

export const unlinkIfLink = async (path: string): Promise<void> => {
  if ((await linkAt(path)) !== null) await unlink(path);
};

const linkAt = (path: string): Promise<string | null> => readlink(path).catch(() => null);
