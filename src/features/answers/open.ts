/** Comparisons of answers with their branches, and the search for earlier answers, over the core's ports. */

import type { Core } from "../../feature.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { Change } from "../../ports/bot.ts";
import { createLooks } from "./looks.ts";
import { createReuse } from "./reuse.ts";
import type { AnswersSettings } from "./settings.ts";

export const openAnswers = (
  { PARLEY_STALE_DAYS: staleDays, PARLEY_REUSE_DAYS: reuseDays }: AnswersSettings,
  core: Core,
) => {
  const looks = createLooks({
    ...core,
    nameOf: core.forgeNameOf,
    shown: core.answerChanged,
    placed: core.answerPlaced,
    days: staleDays,
  });
  return {
    ...(reuseDays === 0
      ? {}
      : { reuse: createReuse({ ...core, threads: core.ledger, holding: looks.holding, days: reuseDays }) }),
    ...(staleDays === 0 ? {} : { pushed: (repo: string) => void looks.pushed(repo) }),
    sourceRead: () => void looks.read(),
    led: (_: ConversationId, change: Change) => looks.heard(change),
    start: () => {
      looks.start();
      return { close: () => Promise.resolve() };
    },
    leave: looks.close,
  };
};
