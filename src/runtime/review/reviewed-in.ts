/** Where somebody looks at a conversation's answers before they are posted: what its channel has set; null where nobody does. */

import type { ConversationId } from "../../machine/id.ts";
import type { ChatStore } from "../../ports/chat-rows.ts";
import type { Ledger } from "../../ports/surface.ts";

export const reviewedIn =
  (ledger: Pick<Ledger, "thread">, chat: Pick<ChatStore, "channel">) =>
  (id: ConversationId): string | null => {
    const thread = ledger.thread(id);
    return thread === null ? null : (chat.channel(thread.surface, thread.place)?.review ?? null);
  };
