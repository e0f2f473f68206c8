/** Directories of agents: in the making and on their way out, both in the staging area that a start clears; and whose they are. */

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

/** What of it was put nowhere else goes at its end. */
interface Aside extends AsyncDisposable {
  readonly path: string;
}

/** A new directory that commands may pass through; nothing in it is theirs. */
export const makeStagingDir = async ({ staging }: Pick<Layout, "staging">, name: string): Promise<Aside> => {
  await mkdir(staging, { recursive: true });
  const path = await mkdtemp(join(staging, `${name}-`));
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => removeTree(path) };
};

/** A new directory that belongs to the user of `slot`. */
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

/** In one step; a link that stands there for the shared tree gives way. */
export const putInPlace = async ({ path }: Aside, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true });
  await unlinkIfLink(to);
  await rename(path, to);
};

/**
 * Asks ext4 to lay each directory in this one somewhere else on the disk: where files were just removed, one without a
 * journal finds room for new ones slowly (16 s for 30,000, instead of 2). Elsewhere nothing is asked.
 */
export const spreadOnDisk = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true });
  await run("chattr", ["+T", "--", directory]).catch(() => null);
};

/**
 * Puts what may be at a path out of the way in one step, and removes it then. Throws what the file system throws.
 * `name`: for who reads the directory's name.
 */
export const discardTree = async (layout: Layout, path: string, name: string): Promise<void> => {
  await using aside = await makeStagingDir(layout, name);
  await rename(path, join(aside.path, "it")).catch(unlessMissing);
};

/**
 * Removes a directory whatever an agent has left in it. `path` is below a directory of the host's own, and nothing runs
 * that could still change what is in it. Closed directories are opened first, and paths longer than the system takes are
 * walked from within: no link is followed. Throws what is in the way.
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
 * Gives a directory that nobody else has seen yet, with all that is in it, to the user of `slot`, where commands have users
 * of their own and no mounts that show a directory as theirs (started as root in a container without user namespaces).
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

/** What those users must be able to pass through; nobody but us may list any of it. */
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
 * Makes `path` a link to `target`, unless it is one already. Where the sandbox cannot mount (T2), commands see host paths,
 * and a conversation's directory must still keep its name when the shared tree gives way to a private checkout: until
 * then that name is a symbolic link.
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
