/** The staging area contains agents' directories while they are created or removed. Each start clears the area. */

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

/** Renames in one step, replacing a link to the shared tree. */
export const putInPlace = async ({ path }: Aside, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true });
  await unlinkIfLink(to);
  await rename(path, to);
};

/** Spreads subdirectories over an ext4 disk, because ext4 without a journal is slow near removed files (16 s instead of 2). */
export const spreadOnDisk = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true });
  await run("chattr", ["+T", "--", directory]).catch(() => null);
};

/** Throws file system errors. */
export const discardTree = async (layout: Layout, path: string, name: string): Promise<void> => {
  await using aside = await makeStagingDir(layout, name);
  await rename(path, join(aside.path, "it")).catch(unlessMissing);
};

/** Handles unreadable directories and paths beyond the system's length limit. The content must no longer change. */
export const removeTree = async (path: string): Promise<void> => {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await run("chmod", ["-R", "u+rwX", "--", path]).catch(() => null);
    await run("rm", ["-rf", "--", path]);
  }
};

/** Needed only if commands have separate users but no mounts that map ownership. No other process has seen the directory. */
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

/** If the sandbox cannot mount (T2), the conversation's path stays the same: a link until a private checkout replaces it. */
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
