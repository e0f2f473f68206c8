/** A button's words in the name of whoever presses it, once, whoever presses it again. */

import type { ActResult, Bot } from "../../ports/bot.ts";
import type { Claim } from "../../ports/claims.ts";

export const sayOnce = async (say: Bot["say"], claim: Omit<Claim, "at">): Promise<ActResult> => {
  const said = await say(claim);
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
