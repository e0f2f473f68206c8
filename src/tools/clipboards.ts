/**
 * The texts that a conversation's patches keep (PATCH-003), one set for each conversation, in this process's
 * memory: after a restart a clipboard is not found, and the model is told so.
 */
import type { ConversationId } from "../core/id.ts";
import type { Clipboards } from "./apply-patches.ts";

/** Conversations whose clipboards are held; the one not used for longest goes first. */
const MAX_CONVERSATIONS = 256;

/** UTF-16 units that one conversation's clipboards may hold in all. */
const MAX_HELD = 1_000_000;

export interface ClipboardStore {
  read(id: ConversationId): Clipboards;
  /** Whether the set may be written; too large a set is to be refused before anything is changed. */
  fits(clipboards: Clipboards): boolean;
  write(id: ConversationId, clipboards: Clipboards): void;
}

export const createClipboardStore = (): ClipboardStore => {
  const held = new Map<ConversationId, Clipboards>();
  return {
    read: (id) => held.get(id) ?? new Map(),
    fits: (clipboards) => {
      let total = 0;
      for (const [name, text] of clipboards) total += name.length + text.length;
      return total <= MAX_HELD;
    },
    write: (id, clipboards) => {
      held.delete(id);
      if (clipboards.size > 0) held.set(id, clipboards);
      const [oldest] = held.keys();
      if (held.size > MAX_CONVERSATIONS && oldest !== undefined) held.delete(oldest);
    },
  };
};
