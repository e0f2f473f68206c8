/** Hourly: parks unused checkouts, removes unused drafts and mirrors, and finishes work of an earlier process. */

import { type ConversationId, DAY, type Millis } from "../../machine/id.ts";
import type { Drafts } from "../../ports/drafts.ts";
import type { Ambient } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import type { Mirrors, CheckoutParking } from "../../ports/workspaces.ts";
import { isAtRest } from "../live/stop-and-settle.ts";
import { type Hourly, startHourly } from "./repeating-task.ts";

interface IdleCheckoutsDeps extends Ambient {
  readonly rests: Pick<CheckoutParking, "candidates" | "park">;
  readonly drafts: Pick<Drafts, "expire">;
  readonly mirrors: Mirrors;
  readonly store: Pick<Store, "load" | "pendingQuestion">;
  /** 0 disables parking. */
  readonly days: number;
  /** Age limit of drafts that were neither opened nor proposed. */
  readonly draftDays: number;
}

/** Delay after a start, when other work is more important. */
const FIRST: Millis = 2 * 60_000;

export const startIdleCheckouts = (deps: IdleCheckoutsDeps): Hourly => {
  const { rests, drafts, mirrors, store, clock, log, days, draftDays } = deps;
  const started = clock.now();

  const look = async (ending: AbortSignal): Promise<void> => {
    let parked = 0;
    const dropped = await drafts.expire(clock.now() - draftDays * DAY);
    if (dropped > 0) log.info("draft: unused drafts removed", { dropped, days: draftDays });
    const removed = await mirrors.removeUnused();
    if (removed > 0) log.info("mirror: unused mirrors removed", { removed });
    for (const id of await rests.candidates()) {
      if (ending.aborted) break;
      const since = days === 0 ? null : restingSince(id);
      if (since === null) continue;
      const rested = await rests.park(id, since, ending);
      if (rested.kind === "parked") parked += 1;
      if (rested.kind === "unfit")
        log.warn("parking: idle checkout not parked", {
          conversation: id,
          why: rested.why,
        });
    }
    if (parked > 0) log.info("parking: idle checkouts parked", { parked, days });
  };

  /** Null if the last activity was recent or if work may be pending. */
  const restingSince = (id: ConversationId): Millis | null => {
    const stored = store.load(id);
    if (stored === null || store.pendingQuestion(id) !== null) return null;
    const { updatedAt } = stored.conversation;
    // A background command of an earlier process ended with that process.
    const background = stored.state.background && updatedAt >= started;
    if (!isAtRest({ ...stored.state, background })) return null;
    return updatedAt < clock.now() - days * DAY ? updatedAt : null;
  };

  return startHourly(clock, FIRST, look);
};
