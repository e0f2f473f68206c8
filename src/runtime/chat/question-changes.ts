import type { ConversationId } from "../../machine/id.ts";
import type { ConversationChange } from "../../ports/bot.ts";

export const onQuestionChange = (
  changed: () => void,
): ((id: ConversationId, change: ConversationChange) => void) => {
  const pending = new Map<ConversationId, string>();
  return (id, change) => {
    if (change.kind !== "state" && change.kind !== "gone") return;
    const wire = change.kind === "gone" ? undefined : change.question?.wire;
    if (wire === pending.get(id) && change.kind !== "gone") return;
    if (wire === undefined) pending.delete(id);
    else pending.set(id, wire);
    changed();
  };
};
