import { refusalText } from "../../../machine/refusal.ts";
import type { ActResult } from "../../../ports/bot.ts";
import type { Say } from "../../../i18n/say.ts";
import { storageText } from "./reply-texts.ts";

/** Null after success, which the thread shows. */
export const outcomeText = (result: ActResult, say: Say): string | null => {
  switch (result.kind) {
    case "done":
      return null;
    case "refused":
      return result.says?.(say) ?? refusalText(result.why, say);
    case "failed":
      return storageText(result.message, say);
    case "unknown":
      return say("This conversation is no longer stored on this host. Mention me to start a new one.");
  }
};
