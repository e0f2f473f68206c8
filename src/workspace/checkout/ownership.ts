/**
 * Whose directories are: where commands have users of their own and no mounts that show a directory as theirs (started
 * as root in a container without user namespaces), the host gives what it makes to the user who is to write there.
 */

import { chmod, lchown, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox/types.ts";

/** Gives a directory that nobody else has seen yet, with all that is in it, to the user of `slot`. */
export const handOver = async (
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
export const letThrough = async (
  sandbox: Pick<Sandbox, "ownerOf">,
  directories: readonly string[],
): Promise<void> => {
  if (sandbox.ownerOf(0) === null) return;
  for (const directory of directories) {
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o711);
  }
};
