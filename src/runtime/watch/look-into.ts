/** *Look into it*: whoever presses the button asks what stands on it, once. */

import type { ConversationId } from "../../machine/id.ts";
import type { Speaker } from "../../machine/words.ts";
import type { ActResult } from "../../ports/bot.ts";
import { sayOnce } from "../bot/say-once.ts";
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
  return sayOnce(bot.say, { surface: name, id, conversation, speaker, text, images: [] });
};
