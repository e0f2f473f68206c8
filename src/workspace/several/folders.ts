/** Lists repositories that could be opened, in the first workspace's directory. A single repository has no such file. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { ConversationId } from "../../machine/id.ts";
import { MOST_REPOS, workspaceOf } from "../../ports/conversation.ts";
import { jsonFile } from "../disk/durable.ts";
import { isPlainId, type Layout } from "../disk/layout.ts";

/** `index`: position in the conversation's list of repositories. */
const folder = z.object({
  name: z.string().min(1),
  index: z
    .int()
    .min(0)
    .max(MOST_REPOS - 1),
});
const schema = z.strictObject({ version: z.literal(1), folders: z.array(folder).readonly() });
const pointer = z.strictObject({ version: z.literal(1), name: z.string() });

export interface OpenFolder {
  readonly name: string;
  readonly index: number;
  readonly id: ConversationId;
}

const file = jsonFile(schema, (thread) => join(thread, "folders.json"));
const draftFile = jsonFile(pointer, (thread) => join(thread, "draft-folder.json"));

/** Null if the conversation has one repository, or the file cannot be read: the next opening writes it again. */
export const readFolders = async (
  layout: Layout,
  id: ConversationId,
): Promise<readonly OpenFolder[] | null> => {
  if (!isPlainId(id)) return null;
  const read = await file.read(layout, id);
  return read?.folders.map((one) => ({ ...one, id: workspaceOf(id, one.index) })) ?? null;
};

export const writeFolders = async (
  layout: Layout,
  id: ConversationId,
  open: readonly Pick<OpenFolder, "name" | "index">[],
): Promise<void> => {
  await mkdir(layout.thread(id), { recursive: true });
  await file.write(layout, id, { version: 1, folders: open.map(({ name, index }) => ({ name, index })) });
};

/** Folder of the last opened draft, or the first folder; null if the conversation has one repository. */
export const readDraftFolder = async (layout: Layout, id: ConversationId): Promise<OpenFolder | null> => {
  const folders = (await readFolders(layout, id)) ?? [];
  const read = folders.length === 0 ? null : await draftFile.read(layout, id);
  return folders.find(({ name }) => name === read?.name) ?? folders[0] ?? null;
};

export const writeDraftFolder = async (layout: Layout, id: ConversationId, name: string): Promise<void> => {
  await mkdir(layout.thread(id), { recursive: true });
  await draftFile.write(layout, id, { version: 1, name });
};
