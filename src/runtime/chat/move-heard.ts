import type { ConversationId } from "../../machine/id.ts";
import { type ChatStore, comparePositions } from "../../ports/chat-rows.ts";

/** Records that the conversation has received the message, unless it has received a later one. */
export const moveHeard = (
  store: Pick<ChatStore, "heard" | "setHeard">,
  conversation: ConversationId,
  message: string,
): void => {
  if (comparePositions(store.heard(conversation) ?? "", message) < 0)
    void store.setHeard(conversation, message);
};
