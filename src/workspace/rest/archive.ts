/**
 * What is kept of a parked checkout: a directory beside it that is whole when it is there. While it has no `over` in it,
 * the archive is the checkout; from then on `work` is, and the archive is rubbish that goes later. A `work` beside an
 * archive that is not over is what a process that died had not yet removed, or had just put back, or it is neither: then
 * somebody else made it, such as a version of Parley that knows no archives, and it is not ours to remove.
 */

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ConversationId, Millis } from "../../machine/id.ts";
import { syncDirectory, writeDurably } from "../durable.ts";
import type { Layout } from "../layout.ts";
import { isMissing, unlessMissing } from "../missing.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const schema = z.strictObject({
  version: z.literal(1),
  commit: z.string(),
  /** When something last happened in the conversation. */
  since: z.number(),
  at: z.number(),
  /** The directory that was packed. */
  was: z.string(),
  /** SHA-256 of `work.tar.gz` and of `changed`. */
  work: sha256,
  changed: sha256,
});

export type Note = Readonly<z.infer<typeof schema>>;

/** `over`: it has been put back, and the checkout is what counts. */
export type Standing = "none" | "parked" | "over";

const NOTE = "parked.json";
const OVER = "over";
const DAMAGED = "damaged";
const MAKING = "making";

/** How the names begin of what was moved out of the way. */
export const RESTED = "rested-";

export const archiveOf = (layout: Layout, id: ConversationId): string => join(layout.thread(id), "parked");

export const standingOf = async (layout: Layout, id: ConversationId): Promise<Standing> => {
  const directory = archiveOf(layout, id);
  if (!(await isThere(directory))) return "none";
  return (await isThere(join(directory, OVER))) ? "over" : "parked";
};

const isThere = async (path: string): Promise<boolean> => {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

/** `directory` holds a whole archive and is not yet in its place: its note comes last, and then all of it at once. */
export const commitArchive = async (
  layout: Layout,
  id: ConversationId,
  directory: string,
  note: Note,
): Promise<void> => {
  await writeDurably(join(directory, NOTE), JSON.stringify(note));
  await rename(directory, archiveOf(layout, id));
  await syncDirectory(layout.thread(id));
};

/** The checkout counts from now on. */
export const endArchive = (layout: Layout, id: ConversationId): Promise<void> =>
  writeDurably(join(archiveOf(layout, id), OVER), "");

/** Of the directory that is put back, before it is in its place. */
export const noteMaking = async (directory: string, made: string): Promise<void> =>
  writeDurably(join(directory, MAKING), await identityOf(made));

/** What the directory beside an archive is. */
export const kindOf = async (directory: string, work: string): Promise<"packed" | "putBack" | "foreign"> => {
  const [identity, note, making] = await Promise.all([
    identityOf(work),
    readNote(directory),
    readFile(join(directory, MAKING), "utf8").catch(unlessMissing),
  ]);
  if (identity === note?.was) return "packed";
  return identity === making ? "putBack" : "foreign";
};

/** The same for one directory wherever it is moved to on its file system, and for no other. */
export const identityOf = async (path: string): Promise<string> => {
  const { ino, birthtimeNs } = await lstat(path, { bigint: true });
  return `${ino} ${birthtimeNs}`;
};

export type ArchiveRead =
  | { readonly kind: "whole"; readonly directory: string; readonly since: Millis }
  /** `since` is null where even that cannot be read. */
  | { readonly kind: "damaged"; readonly directory: string; readonly since: Millis | null };

/** Every byte of it is what was written. */
export const readArchive = async (layout: Layout, id: ConversationId): Promise<ArchiveRead> => {
  const directory = archiveOf(layout, id);
  const note = await readNote(directory);
  if (note === null) return { kind: "damaged", directory, since: null };
  const [work, changed] = await Promise.all(
    ["work.tar.gz", "changed"].map((name) => hashOf(join(directory, name)).catch(unlessUnreadable)),
  );
  return work === note.work && changed === note.changed
    ? { kind: "whole", directory, since: note.since }
    : { kind: "damaged", directory, since: note.since };
};

const readNote = async (directory: string): Promise<Note | null> => {
  const text = await readFile(join(directory, NOTE), "utf8").catch(unlessMissing);
  try {
    const read = schema.safeParse(JSON.parse(text ?? ""));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};

/** What another try would not read either. */
const unlessUnreadable = (error: unknown): null => {
  const code = error instanceof Error && "code" in error ? error.code : "EIO";
  if (typeof code === "string" && UNREADABLE.has(code)) return null;
  throw error;
};

const UNREADABLE: ReadonlySet<string> = new Set(["ENOENT", "EIO", "EISDIR", "ELOOP"]);

/** Whether people were told that it is damaged: the first time that it is found so, they are asked first. */
export const wasFoundDamaged = (directory: string): Promise<boolean> => isThere(join(directory, DAMAGED));

export const noteDamage = (directory: string): Promise<void> => writeDurably(join(directory, DAMAGED), "");

/**
 * Copies what a command wrote into a file of the host's own, on the disk when this settles; answers its SHA-256. Throws
 * where it is no regular file or larger than `most`.
 */
export const takeFile = async (from: string, to: string, most: number): Promise<string> => {
  const source = await openPlain(from, most);
  try {
    const target = await open(to, "wx", 0o644);
    try {
      const hash = await readThrough(source, async (chunk) => {
        await target.writeFile(chunk);
      });
      await target.sync();
      return hash;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

/** SHA-256 of a regular file. */
export const hashOf = async (path: string): Promise<string> => {
  const file = await openPlain(path, Infinity);
  try {
    return await readThrough(file, () => Promise.resolve());
  } finally {
    await file.close();
  }
};

const openPlain = async (path: string, most: number): Promise<FileHandle> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = await file.stat();
  if (found.isFile() && found.size <= most) return file;
  await file.close();
  throw new Error("what was packed is not as it should be");
};

const CHUNK = 2 ** 20;

const readThrough = async (file: FileHandle, each: (chunk: Uint8Array) => Promise<void>): Promise<string> => {
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(CHUNK);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK);
    if (bytesRead === 0) return hash.digest("hex");
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await each(chunk);
  }
};
