/**
 * A message was deleted on the platform: what the conversation of its thread holds of it goes too, within seconds and
 * for good. Handled again after a crash; what is gone already is found nowhere.
 */

import type { Handled, Removed } from "../ports-chat.ts";
import type { Cut, Forgetting } from "../ports-erasure.ts";
import { withoutOwn } from "./compose.ts";
import type { ChatDeps } from "./deps.ts";

export const createRemoved =
  ({ name, ledger, bot, unquote, log }: ChatDeps) =>
  async ({ place, root, message, at }: Removed): Promise<Handled> => {
    const forgetting: Forgetting = {
      by: `${name}:deletion`,
      meant: message === null ? { kind: "all" } : { kind: "message", source: message },
      cut: (text, own) => (own ? both(withoutOwn(text), at, unquote) : unquote(text, at)),
    };
    for (const conversation of ledger.lived(name, place, root)) {
      const result = await bot.forget(conversation, forgetting);
      if (result.kind !== "failed") continue;
      log.warn("a deleted message could not be forgotten yet", { conversation, why: result.message });
      return "later";
    }
    return "done";
  };

/** The message may stand among what its own thread is quoted with. */
const both = (own: Cut, at: number, unquote: ChatDeps["unquote"]): Cut => {
  const { text, taken } = unquote(own.text, at);
  return { text, taken: [...own.taken, ...taken] };
};
