/** Kept in this process's memory (PATCH-003): a restart removes the clipboards, and the model is told so. */
import type { ConversationId } from "../../machine/id.ts";
import type { Clipboards } from "./apply-patches.ts";

/** UTF-16 units of one conversation's clipboards, names included. */
const MAX_HELD = 1_000_000;

/** UTF-16 units of all clipboards together; beyond that, the least recently written set is removed first. */
const MAX_TOGETHER = 16_000_000;

interface ClipboardStore {
  read(id: ConversationId): Clipboards;
  /** Whether the set may be written; a larger set must be refused before anything is changed. */
  fits(clipboards: Clipboards): boolean;
  write(id: ConversationId, clipboards: Clipboards): void;
}

export const createClipboardStore = (): ClipboardStore => {
  const held = new Map<ConversationId, { readonly clipboards: Clipboards; readonly size: number }>();
  let together = 0;
  const drop = (id: ConversationId): void => {
    together -= held.get(id)?.size ?? 0;
    held.delete(id);
  };
  return {
    read: (id) => held.get(id)?.clipboards ?? new Map(),
    fits: (clipboards) => sizeOf(clipboards) <= MAX_HELD,
    write: (id, clipboards) => {
      drop(id);
      if (clipboards.size === 0) return;
      const size = sizeOf(clipboards);
      held.set(id, {
        clipboards: new Map([...clipboards].map(([name, text]) => [name, detached(text)])),
        size,
      });
      together += size;
      for (const oldest of held.keys()) {
        if (together <= MAX_TOGETHER) break;
        drop(oldest);
      }
    },
  };
};

const sizeOf = (clipboards: Clipboards): number => {
  let size = 0;
  for (const [name, text] of clipboards) size += name.length + text.length;
  return size;
};

/** Copies, because a substring would keep the whole file in memory. */
const detached = (text: string): string => Buffer.from(text).toString();
