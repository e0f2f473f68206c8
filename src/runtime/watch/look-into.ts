/** *Look into it*: whoever presses the button asks what stands on it, once. */

import type { ConversationId } from "../../machine/id.ts";
import type { Speaker } from "../../machine/words.ts";
import type { ActResult } from "../../ports/bot.ts";
import { lookIn } from "./look.ts";
import type { ChatDeps } from "../chat/deps.ts";

export const lookInto = async (
  { bot, name }: Pick<ChatDeps, "bot" | "name">,
  conversation: ConversationId,
  speaker: Speaker,
  value: string,
): Promise<ActResult> => {
  const text = lookIn(value, conversation);
  if (text === null) return { kind: "unknown" };
  const id = `look/${conversation}/${value}`;
  const said = await bot.say({ surface: name, id, conversation, speaker, text, images: [] });
  switch (said.kind) {
    case "accepted":
      return { kind: "done" };
    case "refused":
      return { ...said, by: null, at: null };
    case "duplicate":
      return {
        kind: "refused",
        why: "no_op",
        by: null,
        at: null,
        says: (say) => say("Somebody has asked that already."),
      };
    case "unknown":
    case "failed":
      return said;
  }
};
