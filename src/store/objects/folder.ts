/** Objects as files below a directory, for Parley's user alone. A name appears only when its content is on the disk. */

import type { Dirent } from "node:fs";
import { mkdir, open, readdir, rename, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Bytes, Objects } from "../../ports/store.ts";
import { codeOf, failureOf } from "./failure.ts";

/** Nothing is made before the first `put`. */
export const createFolder = (root: string): Objects => ({
  put: async (name, bytes) => {
    try {
      const path = join(root, name);
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      if (made !== undefined) await syncFolder(dirname(made));
      await writeDurably(`${path}${UNFINISHED}`, bytes);
      await rename(`${path}${UNFINISHED}`, path);
      await syncFolder(dirname(path));
      return DONE;
    } catch (error) {
      return failureOf(error);
    }
  },
  get: async (name, take) => {
    try {
      const file = await open(join(root, name)).catch((error: unknown) => {
        if (codeOf(error) !== "ENOENT") throw error;
        return null;
      });
      if (file === null) return { kind: "missing" };
      await using _ = file;
      await take(file.createReadStream());
      return { kind: "got" };
    } catch (error) {
      return failureOf(error);
    }
  },
  list: async (prefix) => {
    try {
      return { kind: "names", names: await namesBelow(root, prefix) };
    } catch (error) {
      return failureOf(error);
    }
  },
  remove: async (name) => {
    try {
      const path = join(root, name);
      await (name.endsWith("/") ? rm(path, { recursive: true, force: true }) : unlink(path));
    } catch (error) {
      if (codeOf(error) !== "ENOENT") return failureOf(error);
    }
    return DONE;
  },
});

const DONE = { kind: "done" } as const;
const UNFINISHED = ".part";

const namesBelow = async (root: string, prefix: string): Promise<readonly string[]> => {
  const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const found: string[] = [];
  for (const entry of await entriesOf(join(root, folder))) {
    const name = `${folder}${entry.name}`;
    if (!name.startsWith(prefix) || name.endsWith(UNFINISHED)) continue;
    found.push(...(entry.isDirectory() ? await namesBelow(root, `${name}/`) : [name]));
  }
  return found;
};

const entriesOf = async (path: string): Promise<readonly Dirent[]> => {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
};

const writeDurably = async (path: string, bytes: Bytes): Promise<void> => {
  await using file = await open(path, "w", 0o600);
  for await (const chunk of bytes) await file.writeFile(chunk);
  await file.sync();
};

/** The new name is durable only when its directory is. */
const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder, "r");
  await handle.sync();
};
