/** Removes one conversation after the other, so that people's work has priority. */

import { type ConversationId, DAY, type Millis, type PersonId } from "../../machine/id.ts";
import { isSettled } from "../../machine/state.ts";
import type { Archive } from "../../ports/bot.ts";
import type { Ambient } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import { type Hourly, startHourly } from "./repeating-task.ts";

interface RetentionDeps extends Ambient {
  readonly bot: Pick<Archive, "remove">;
  readonly store: Pick<Store, "load" | "pendingQuestion" | "untouched">;
  /** Infinite to keep conversations permanently. */
  readonly days: number;
}

/** Delay after a start, when other work is more important. */
const FIRST: Millis = 60_000;

const RETENTION: PersonId = "parley:retention";

export const startRetention = ({ bot, store, clock, log, days }: RetentionDeps): Hourly => {
  const look = async (ending: AbortSignal): Promise<void> => {
    const before = clock.now() - days * DAY;
    let removed = 0;
    for (const id of store.untouched(before)) {
      if (ending.aborted) break;
      if (isUnused(id, before) && (await bot.remove(id, RETENTION)).kind === "done") removed += 1;
    }
    if (removed > 0) log.info("retention: inactive conversations removed", { removed, days });
  };

  const isUnused = (id: ConversationId, before: Millis): boolean => {
    const stored = store.load(id);
    if (stored === null || !isSettled(stored.state.phase)) return false;
    if (stored.conversation.updatedAt >= before) return false;
    return (store.pendingQuestion(id)?.askedAt ?? -Infinity) < before;
  };

  return startHourly(clock, FIRST, look);
};
