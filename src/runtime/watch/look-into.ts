/** *Look into it*: whoever presses the button asks what stands on it, once. */

import type { ConversationId } from "../../machine/id.ts";
import type { Speaker } from "../../machine/words.ts";
import type { ActResult, Bot } from "../../ports/bot.ts";
import type { Claim } from "../../ports/claims.ts";
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
  return sayOnce(bot, {
    surface: name,
    id: `look/${conversation}/${value}`,
    conversation,
    speaker,
    text,
    images: [],
  });
};

/** A button's words in the name of whoever presses it, whoever presses it again. */
export const sayOnce = async (bot: Pick<Bot, "say">, claim: Omit<Claim, "at">): Promise<ActResult> => {
  const said = await bot.say(claim);
  switch (said.kind) {
    case "accepted":
      return { kind: "done" };
    case "refused":
      return { ...said, by: null, at: null };
    case "duplicate":
      return { kind: "refused", why: "no_op", by: null, at: null, says: "Somebody has asked that already." };
    case "unknown":
    case "failed":
      return said;
  }
};
