/** Small files that decide what may be deleted: complete or absent, and durable across a power loss. */

import { constants } from "node:fs";
import { type FileHandle, lstat, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { z } from "zod";
import type { ConversationId } from "../../machine/id.ts";
import { jsonIn } from "../../text/json.ts";
import type { Layout } from "./layout.ts";

export const writeDurably = async (path: string, text: string): Promise<void> => {
  {
    await using file = await open(`${path}.new`, "w", 0o600);
    await file.writeFile(text);
    await file.sync();
  }
  await rename(`${path}.new`, path);
  await syncDirectory(dirname(path));
};

/** Null if the file cannot be read or does not match the schema. */
export const readJson = async <S extends z.ZodType>(path: string, schema: S): Promise<z.output<S> | null> => {
  const text = await readFile(path, "utf8").catch(() => "");
  return schema.safeParse(jsonIn(text)).data ?? null;
};

export const jsonFile = <S extends z.ZodType>(schema: S, pathIn: (thread: string) => string) => ({
  read: (layout: Pick<Layout, "thread">, id: ConversationId): Promise<z.output<S> | null> =>
    readJson(pathIn(layout.thread(id)), schema),
  write: (layout: Pick<Layout, "thread">, id: ConversationId, record: z.output<S>): Promise<void> =>
    writeDurably(pathIn(layout.thread(id)), JSON.stringify(record)),
});

export const syncDirectory = async (path: string): Promise<void> => {
  await using directory = await open(path);
  await directory.sync();
};

/** Null for anything except a regular file of at most `most` bytes: an agent may have replaced the file. */
export const openPlain = async (path: string, most: number): Promise<FileHandle | null> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = await file.stat();
  if (found.isFile() && found.size <= most) return file;
  await file.close();
  return null;
};

/** True even for a broken link. */
export const isThere = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(unlessMissing)) !== null;

const unless =
  (code: string) =>
  (error: unknown): null => {
    if (error instanceof Error && "code" in error && error.code === code) return null;
    throw error;
  };

export const unlessMissing = unless("ENOENT");

export const unlessThere = unless("EEXIST");
