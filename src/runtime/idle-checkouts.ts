/**
 * Checkouts of conversations that nobody has touched for long are parked (`PARLEY_IDLE_CHECKOUT_DAYS`): what was changed
 * is kept small, and put back when somebody comes. Looked for once an hour, one after the other. A look also finishes
 * what an earlier process had begun, where nothing is to be parked any more.
 */

import type { ConversationId, Millis } from "../core/id.ts";
import type { Clock, Log, Store } from "./ports.ts";
import type { Rests } from "./ports-workspaces.ts";
import { isAtRest } from "./rest.ts";

export interface IdleCheckoutsDeps {
  readonly rests: Pick<Rests, "candidates" | "park">;
  readonly store: Pick<Store, "load" | "pendingQuestion">;
  readonly clock: Clock;
  readonly log: Log;
  /** Days without anything happening after which a conversation's checkout is parked; 0: never. */
  readonly days: number;
}

export interface IdleCheckouts {
  /** Settles when the look that is under way has ended; there is no other afterwards. */
  close(): Promise<void>;
}

const EVERY: Millis = 60 * 60_000;
/** After a start other things come first. */
const FIRST: Millis = 2 * 60_000;
const DAY: Millis = 24 * 60 * 60_000;

const nothing = (): void => undefined;

export const startIdleCheckouts = ({ rests, store, clock, log, days }: IdleCheckoutsDeps): IdleCheckouts => {
  const started = clock.now();
  const ending = new AbortController();
  let looking: Promise<void> = Promise.resolve();
  let cancel = nothing;

  const look = async (): Promise<void> => {
    let parked = 0;
    for (const id of await rests.candidates()) {
      if (ending.signal.aborted) break;
      const since = days === 0 ? null : restingSince(id);
      if (since === null) continue;
      const rested = await rests.park(id, since, ending.signal);
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

  const later = (delay: Millis): void => {
    cancel = clock.after(delay, () => {
      looking = again();
    });
  };

  const again = async (): Promise<void> => {
    await look();
    if (!ending.signal.aborted) later(EVERY);
  };

  later(FIRST);
  return {
    close: async () => {
      ending.abort();
      cancel();
      await looking;
    },
  };
};
