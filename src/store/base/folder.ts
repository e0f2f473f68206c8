/** Objects as files below a directory that only Parley's user can access. A name appears only after its content is on disk. */

import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WriteFailure } from "../../ports/host.ts";
import type { Objects } from "../../ports/store.ts";

/** Creates nothing before the first `put`. */
export const createFolder = (root: string): Objects => ({
  put: (name, bytes) =>
    attempt(async () => {
      const path = join(root, name);
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      if (made !== undefined) await syncFolder(dirname(made));
      await writeFile(`${path}${UNFINISHED}`, bytes, { mode: 0o600, flush: true });
      await rename(`${path}${UNFINISHED}`, path);
      await syncFolder(dirname(path));
      return { kind: "done" };
    }),
  get: (name, take) =>
    attempt(async () => {
      await using file = await orNone(open(join(root, name)), null);
      if (file === null) return { kind: "missing" };
      await take(file.createReadStream());
      return { kind: "got" };
    }),
  list: (prefix) => attempt(async () => ({ kind: "names", names: await namesBelow(root, prefix) })),
  remove: (name) =>
    attempt(async () => {
      await rm(join(root, name), { recursive: name.endsWith("/"), force: true });
      return { kind: "done" };
    }),
});

const attempt = <T>(does: () => Promise<T>): Promise<T | WriteFailure> => does().catch(folderFailureOf);

const orNone = <T, None>(found: Promise<T>, none: None): Promise<T | None> =>
  found.catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return none;
    throw error;
  });

const UNFINISHED = ".part";

const namesBelow = async (root: string, prefix: string): Promise<readonly string[]> => {
  const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const found: string[] = [];
  for (const entry of await orNone(readdir(join(root, folder), { withFileTypes: true }), [])) {
    const name = `${folder}${entry.name}`;
    if (!name.startsWith(prefix) || name.endsWith(UNFINISHED)) continue;
    found.push(...(entry.isDirectory() ? await namesBelow(root, `${name}/`) : [name]));
  }
  return found;
};

/** A new name is durable only when its directory is synced. */
const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder, "r");
  await handle.sync();
};

export const folderFailureOf = (error: unknown): WriteFailure => {
  const code = codeOf(error);
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return { kind: "failed", code: "disk_full", message: "the disk of the data directory is full" };
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return { kind: "failed", code: "read_only", message: "the data directory cannot be written" };
    default:
      return { kind: "failed", code: "io", message: `a file could not be stored: ${code}` };
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);
