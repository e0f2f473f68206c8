/** Drafts where a conversation has several repositories: one at a time, of the one that it was opened of last. */

import type { ConversationId } from "../../machine/id.ts";
import { ownerOf } from "../../ports/conversation.ts";
import type { Drafts } from "../../ports/drafts.ts";
import { readDraft } from "../checkout/draft-record.ts";
import type { Layout } from "../disk/layout.ts";
import { type OpenFolder, readDraftFolder, readFolders, writeDraftFolder } from "./folders.ts";

/** `open` is asked for the workspace of one repository, the rest for the conversation. */
export const createSeveralDrafts = (layout: Layout, each: Drafts): Drafts => {
  const last = async (id: ConversationId): Promise<OpenFolder | undefined> => {
    const folders = await readFolders(layout, id);
    return folders === null ? undefined : readDraftFolder(layout, id, folders);
  };
  const workspaceOf = async (id: ConversationId): Promise<ConversationId> => (await last(id))?.id ?? id;

  return {
    ...each,
    open: async (id, signal) => {
      const owner = ownerOf(id);
      const folders = (await readFolders(layout, owner)) ?? [];
      const wanted = folders.find((one) => one.id === id);
      if (wanted === undefined) return each.open(id, signal);
      for (const other of folders) {
        if (other.id === id || (await readDraft(layout, other.id)) === null) continue;
        return { kind: "failed", message: otherOpen(other.name, wanted.name) };
      }
      const opened = await each.open(id, signal);
      if (opened.kind === "open") await writeDraftFolder(layout, owner, wanted.name);
      return opened;
    },
    folder: async (id) => (await last(id))?.name ?? null,
    tree: async (id, signal) => each.tree(await workspaceOf(id), signal),
    seal: async (id, what, signal) => each.seal(await workspaceOf(id), what, signal),
    sealed: async (id) => each.sealed(await workspaceOf(id)),
    movedOn: async (id, signal) => each.movedOn(await workspaceOf(id), signal),
    apply: async (id, what, signal) => each.apply(await workspaceOf(id), what, signal),
    patch: async (id, what, signal) => each.patch(await workspaceOf(id), what, signal),
    discard: async (id) => each.discard(await workspaceOf(id)),
  };
};

const otherOpen = (open: string, wanted: string): string =>
  `A draft of ${open} is open, and a change is made in one repository at a time. Propose it; once people have decided, open one of ${wanted}.`;
