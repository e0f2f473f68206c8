import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ConversationId } from "../../machine/id.ts";
import { unlessMissing, writeDurably } from "../disk/durable.ts";
import { attemptGit, InTheWay } from "../run/git-trouble.ts";
import { isPlainId, type Layout } from "../disk/layout.ts";

const schema = z.strictObject({
  version: z.literal(1),
  slot: z.int().min(0).max(9999),
  /** Mirror that contains the commit. */
  key: z.string().regex(/^[0-9a-f]{32}$/),
  generation: z.int().min(1),
  commit: z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/),
  /** Short name of the branch or tag when the commit was chosen; `HEAD` if there was none. */
  ref: z.string().min(1),
  isTag: z.boolean().exactOptional(),
  /** Null for a local repository. */
  origin: z.string().nullable(),
  name: z.string(),
});

export type Workspace = Readonly<z.infer<typeof schema>> & {
  readonly id: ConversationId;
};

const fileOf = (layout: Layout, id: ConversationId): string => join(layout.thread(id), "place.json");

/** Null if there is no record or the id cannot name a directory. Throws file system errors, also for an invalid file. */
export const readRecord = async (layout: Layout, id: string): Promise<Workspace | null> => {
  if (!isPlainId(id)) return null;
  try {
    const read = schema.safeParse(JSON.parse(await readFile(fileOf(layout, id), "utf8")));
    if (!read.success) throw new Error("place.json of the conversation is not readable");
    return { ...read.data, id };
  } catch (error) {
    return unlessMissing(error);
  }
};

/** Like `readRecord`, but throws if there is no record. */
export const recordOf = async (layout: Layout, id: ConversationId): Promise<Workspace> => {
  const known = await readRecord(layout, id);
  if (known === null) throw new InTheWay({ kind: "host", reason: "no checkout was made yet" });
  return known;
};

export const writeRecord = async (layout: Layout, { id, ...record }: Workspace): Promise<void> => {
  await mkdir(layout.thread(id), { recursive: true });
  await writeDurably(fileOf(layout, id), JSON.stringify(record));
};

/** Null if the record cannot be read. */
export const commitOf = async (layout: Layout, id: string): Promise<string | null> => {
  const read = await attemptGit(() => readRecord(layout, id));
  return read.kind === "done" ? (read.value?.commit ?? null) : null;
};
