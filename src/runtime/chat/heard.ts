import type { ConversationId } from "../../machine/id.ts";
import { type ChatStore, comparePositions } from "../../ports/chat-rows.ts";

/** A message that the agent has is not quoted to it again as an earlier one. Edits and clicks may concern older messages. */
export const markHeard = (
  store: Pick<ChatStore, "heard" | "setHeard">,
  conversation: ConversationId,
  message: string,
): void => {
  if (comparePositions(store.heard(conversation) ?? "", message) < 0)
    void store.setHeard(conversation, message);
};
