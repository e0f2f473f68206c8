/** An existing checkout counts, and its archive is removed later. Without a checkout, the archive counts. */

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Workspace } from "../checkout/record.ts";
import { isThere, openPlain, readJson, syncDirectory, writeDurably } from "../disk/durable.ts";
import type { Bytes } from "../../ports/store.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";
import type { Layout } from "../disk/layout.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const schema = z.object({
  version: z.literal(1),
  commit: z.string(),
  /** Time of the last activity in the conversation. */
  since: z.number(),
  at: z.number(),
  /** SHA-256 of `work.tar.gz` and of `changed`. */
  work: sha256,
  changed: sha256,
});

export type ArchiveNote = Readonly<z.infer<typeof schema>>;

/** Packed files, and the names of the commit's files that changed. */
export const ARCHIVED_FILES = ["work.tar.gz", "changed"] as const;
export const ARCHIVE_NOTE = "parked.json";
/** Present in an archive from another host; contains the archive's name among all hosts. */
export const MOVED = "moved";
const DAMAGED = "damaged";

export const archiveOf = (layout: Layout, id: ConversationId): string => join(layout.thread(id), "parked");

/** `directory` contains everything except the note. The rename, after the note is written, completes the archive. */
export const commitArchive = async (
  layout: Layout,
  id: ConversationId,
  directory: string,
  note: ArchiveNote,
): Promise<void> => {
  await writeDurably(join(directory, ARCHIVE_NOTE), JSON.stringify(note));
  await rename(directory, archiveOf(layout, id));
  await syncDirectory(layout.thread(id));
};

/** `since` is null if the note cannot be read. */
export interface ArchiveRead {
  readonly kind: "whole" | "damaged";
  readonly directory: string;
  readonly since: Millis | null;
  /** Whether another host had the checkout last. */
  readonly moved: boolean;
}

/** `whole`: every byte matches its hash, and the archive belongs to the conversation's commit. */
export const readArchive = async (layout: Layout, { id, commit }: Workspace): Promise<ArchiveRead> => {
  const directory = archiveOf(layout, id);
  const note = await readJson(join(directory, ARCHIVE_NOTE), schema);
  const moved = await isThere(join(directory, MOVED));
  if (note === null) return { kind: "damaged", directory, since: null, moved };
  const [work, changed] = await Promise.all(
    ARCHIVED_FILES.map((name) => archiveHashOf(join(directory, name)).catch(unlessUnreadable)),
  );
  const isWhole = work === note.work && changed === note.changed && commit === note.commit;
  return { kind: isWhole ? "whole" : "damaged", directory, since: note.since, moved };
};

/** Returns null for errors that another try would not fix. */
const unlessUnreadable = (error: unknown): null => {
  const code = error instanceof Error && "code" in error ? error.code : "EIO";
  if (typeof code === "string" && UNREADABLE.has(code)) return null;
  throw error;
};

const UNREADABLE: ReadonlySet<string> = new Set(["ENOENT", "EIO", "EISDIR", "ELOOP"]);

/** Whether the damage was reported: at the first discovery, people are asked before anything continues. */
export const wasFoundDamaged = (directory: string): Promise<boolean> => isThere(join(directory, DAMAGED));

export const noteDamage = (directory: string): Promise<void> => writeDurably(join(directory, DAMAGED), "");

/** Throws if the path is no regular file or larger than `most`. */
export async function* contentOf(path: string, most: number): AsyncGenerator<Buffer> {
  const file = await openPlain(path, most);
  if (file === null) throw new Error("what was packed is not as it should be");
  yield* file.createReadStream();
}

export type ArchiveContents = Readonly<Record<string, Bytes>>;

export const packedIn = ({ rest }: WorkspaceContext, drop: string, folder = ""): ArchiveContents =>
  Object.fromEntries(
    ARCHIVED_FILES.map((file) => [folder + file, contentOf(join(drop, file), 2 * rest.bytes)]),
  );

export const textual = (said: string): Bytes => [Buffer.from(said)];

/** Durable when this resolves. Returns the SHA-256. */
export const takeFile = async (from: string, to: string, most: number): Promise<string> => {
  await writeStream(contentOf(from, most), to);
  return archiveHashOf(to);
};

/** Writes a file that commands may read. */
export const writeStream = (bytes: AsyncIterable<Uint8Array>, to: string): Promise<void> =>
  pipeline(bytes, createWriteStream(to, { mode: 0o644, flush: true }));

export const archiveHashOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256");
  for await (const chunk of contentOf(path, Infinity)) hash.update(chunk);
  return hash.digest("hex");
};
