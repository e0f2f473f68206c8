/** Adds a setup's files: hard links in a read-only tree, copies in a private checkout or home. */

import { link, lstat, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox/types.ts";
import { makeStagingDir, putInPlace } from "../disk/staging.ts";
import { copyCheckoutTree } from "../run/copy.ts";
import { unlessThere } from "../disk/durable.ts";
import type { Layout } from "../disk/layout.ts";
import type { Dirent } from "node:fs";

const COPY_TIMEOUT = 10 * 60_000;

export const linkTree = async (layout: Layout, plain: string, work: string, to: string): Promise<void> => {
  await using aside = await makeStagingDir(layout, "prepared");
  await layOver(plain, aside.path);
  await layOver(work, aside.path);
  await putInPlace(aside, to);
};

export const copySetupInto = async (
  sandbox: Sandbox,
  work: string,
  to: string,
  slot: number,
): Promise<void> => {
  const from = { work, under: [] };
  await copyCheckoutTree(sandbox, { from, to, slot, limits: null, timeout: COPY_TIMEOUT });
};

const TOGETHER = 64;

/** Hard links store shared files once. They are safe because no command can write to either tree and no link is followed. */
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
