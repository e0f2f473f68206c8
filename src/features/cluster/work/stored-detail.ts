import type { ConversationId } from "../../../machine/id.ts";
import type { Detail } from "../../../ports/bot.ts";
import type { Store } from "../../../ports/store.ts";

/** Reads a conversation from the store, with its waiting question. Null if the conversation does not exist. */
export const storedDetail = (
  store: Pick<Store, "load" | "pendingQuestion">,
  id: ConversationId,
): Pick<Detail, "conversation" | "state" | "question"> | null => {
  const stored = store.load(id);
  if (stored === null) return null;
  const { conversation, state } = stored;
  const question = state.phase.kind === "awaitingApproval" ? store.pendingQuestion(id) : null;
  return { conversation, state, question };
};
