/**
 * Adds the files of a setup to one conversation: as hard links in a read-only tree, as copies in a private checkout or home.
 */

import { link, lstat, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox/types.ts";
import { makeStagingDir, putInPlace } from "../disk/aside.ts";
import { copyCheckoutTree } from "../run/copy.ts";
import { unlessThere } from "../disk/durable.ts";
import type { Layout } from "../disk/layout.ts";
import type { Dirent } from "node:fs";

const COPY_TIMEOUT = 10 * 60_000;

/** Creates the tree `to` with the files of `plain` and the setup's files in `work`, in the staging area first. */
export const linkTree = async (layout: Layout, plain: string, work: string, to: string): Promise<void> => {
  await using aside = await makeStagingDir(layout, "prepared");
  await layOver(plain, aside.path);
  await layOver(work, aside.path);
  await putInPlace(aside, to);
};

/** Copies all of `work` into `to`, which belongs to the user of `slot`. */
export const copySetupInto = async (
  sandbox: Sandbox,
  work: string,
  to: string,
  slot: number,
): Promise<void> => {
  const from = { work, under: [] };
  await copyCheckoutTree(sandbox, { from, to, slot, limits: null, timeout: COPY_TIMEOUT });
};

/** Files of one directory that are linked in parallel. */
const TOGETHER = 64;

/**
 * Lays one tree over another by hard links, so that a thousand read-only trees with the same dependencies store them once. Host
 * code may do this, because no command can write to either tree. No file is opened, no link is followed, nothing existing is
 * replaced. `to` exists. Throws file system errors.
 */
const layOver = async (from: string, to: string): Promise<void> => {
  const entries = await readdir(from, { withFileTypes: true });
  const directories = entries.filter((entry) => entry.isDirectory());
  const others = entries.filter((entry) => !entry.isDirectory());
  for (let i = 0; i < others.length; i += TOGETHER) {
    await Promise.all(others.slice(i, i + TOGETHER).map((entry) => layOne(entry, from, to)));
  }
  for (const { name } of directories) {
    const target = join(to, name);
    await mkdir(target).catch(unlessThere);
    // An entry of the commit with the same name stays, above all a link to another place.
    if ((await lstat(target)).isDirectory()) await layOver(join(from, name), target);
  }
};

const layOne = async (entry: Dirent, from: string, to: string): Promise<void> => {
  const source = join(from, entry.name);
  const target = join(to, entry.name);
  if (entry.isFile()) await link(source, target).catch(unlessThere);
  if (entry.isSymbolicLink()) await symlink(await readlink(source), target).catch(unlessThere);
};
