/**
 * Checkouts of conversations that nobody has touched for long are parked (`PARLEY_IDLE_CHECKOUT_DAYS`): what was changed
 * is kept small, and put back when somebody comes. Looked for once an hour, one after the other. A look also finishes
 * what an earlier process had begun, where nothing is to be parked any more, and drops drafts that nobody uses
 * (`PARLEY_DRAFT_DAYS`), and mirrors of repositories that no thread uses.
 */

import { type ConversationId, DAY, type Millis } from "../../machine/id.ts";
import type { Drafts } from "../../ports/drafts.ts";
import type { Ambient } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import type { Mirrors, CheckoutParking } from "../../ports/workspaces.ts";
import { isAtRest } from "../live/bring-to-rest.ts";
import { type Hourly, startHourly } from "./rounds.ts";

interface IdleCheckoutsDeps extends Ambient {
  readonly rests: Pick<CheckoutParking, "candidates" | "park">;
  readonly drafts: Pick<Drafts, "expire">;
  readonly mirrors: Mirrors;
  readonly store: Pick<Store, "load" | "pendingQuestion">;
  /** Days without anything happening after which a conversation's checkout is parked; 0: never. */
  readonly days: number;
  /** Days after which a draft is dropped that nobody has opened or proposed. */
  readonly draftDays: number;
}

/** After a start other things come first. */
const FIRST: Millis = 2 * 60_000;

export const startIdleCheckouts = (deps: IdleCheckoutsDeps): Hourly => {
  const { rests, drafts, mirrors, store, clock, log, days, draftDays } = deps;
  const started = clock.now();

  const look = async (ending: AbortSignal): Promise<void> => {
    let parked = 0;
    const dropped = await drafts.expire(clock.now() - draftDays * DAY);
    if (dropped > 0) log.info("drafts that nobody used were dropped", { dropped, days: draftDays });
    const removed = await mirrors.removeUnused();
    if (removed > 0) log.info("mirror: unused ones removed", { removed });
    for (const id of await rests.candidates()) {
      if (ending.aborted) break;
      const since = days === 0 ? null : restingSince(id);
      if (since === null) continue;
      const rested = await rests.park(id, since, ending);
      if (rested.kind === "parked") parked += 1;
      if (rested.kind === "unfit")
        log.warn("a checkout that nobody uses cannot be parked, and stays", {
          conversation: id,
          why: rested.why,
        });
    }
    if (parked > 0) log.info("checkouts that nobody used were parked", { parked, days });
  };

  /** When something last happened in it; null where that is not long ago, or something may still come of it. */
  const restingSince = (id: ConversationId): Millis | null => {
    const stored = store.load(id);
    if (stored === null || store.pendingQuestion(id) !== null) return null;
    const { updatedAt } = stored.conversation;
    // A command that an earlier process left running ended with it.
    const background = stored.state.background && updatedAt >= started;
    if (!isAtRest({ ...stored.state, background })) return null;
    return updatedAt < clock.now() - days * DAY ? updatedAt : null;
  };

  return startHourly(clock, FIRST, look);
};
