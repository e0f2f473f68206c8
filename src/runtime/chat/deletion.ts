/**
 * A message was deleted on the platform: what the conversation of its thread holds of it goes too, within seconds and
 * for good. Handled again after a crash; what is gone already is found nowhere.
 */

import type { Handled, Removed } from "../../ports/chat.ts";
import { createCut } from "../bot/erased-text.ts";
import type { Forgetting } from "../../ports/erasure.ts";
import { withoutQuotes } from "../../text/quotes.ts";
import type { ChatDeps } from "./people/deps.ts";

export const forgetDeleted = async (
  { name, ledger, bot, log }: ChatDeps,
  { place, root, message, at }: Removed,
): Promise<Handled> => {
  const forgetting: Forgetting = {
    by: `${name}:deletion`,
    meant: message === null ? { kind: "all" } : { kind: "message", source: message },
    cut: createCut((text) => withoutQuotes(text, at)),
  };
  for (const conversation of ledger.lived(name, place, root)) {
    const result = await bot.forget(conversation, forgetting);
    if (result.kind !== "failed") continue;
    log.warn("a deleted message could not be forgotten yet", { conversation, why: result.message });
    return "later";
  }
  return "done";
};
