/** What begins a turn counts for who may not drive, whether it is a message, a button or a command. */

import type { Speaker } from "../../machine/words.ts";
import type { ActResult } from "../../ports/bot.ts";
import type { Person } from "../../ports/chat-platform.ts";
import type { ChatDeps } from "./deps.ts";
import { rateText } from "./reply-texts.ts";

/** What the person is told instead, where it was too often. */
export const paced = async (
  { rate, say }: Pick<ChatDeps, "rate" | "say">,
  speaker: Speaker,
  { id }: Person,
  begin: () => Promise<ActResult>,
): Promise<ActResult | string> => {
  const wait = speaker.mayDrive ? 0 : rate.wait(id);
  if (wait > 0) return rateText(rate.most, wait, say);
  const result = await begin();
  if (result.kind === "done") rate.took(id);
  return result;
};
