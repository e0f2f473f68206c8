/** Work that is looked through anew whenever something changed: one round at a time, and one more after a change meanwhile. */

import type { ConversationId, Millis } from "../../machine/id.ts";
import type { Change } from "../../ports/bot.ts";
import type { Clock } from "../../ports/host.ts";

/** `round`: must not reject. */
export const createRounds = (clock: Pick<Clock, "after">, round: () => Promise<void>) => {
  const pending = new Map<ConversationId, string>();
  let running: Promise<void> | null = null;
  let stale = false;
  let closed = false;
  let cancel: (() => void) | null = null;

  const run = async (): Promise<void> => {
    while (stale) {
      stale = false;
      if (closed) break;
      await round();
    }
    running = null;
  };

  const wake = (): void => {
    stale = true;
    if (!closed) running ??= run();
  };

  return {
    wake,
    wakeAfter: (delay: Millis) => {
      cancel?.();
      cancel = clock.after(delay, wake);
    },
    /** A conversation asks something else than before, or is gone. */
    heard: (id: ConversationId, change: Change) => {
      if (change.kind !== "state" && change.kind !== "gone") return;
      const wire = change.kind === "gone" ? undefined : change.question?.wire;
      if (wire === pending.get(id) && change.kind !== "gone") return;
      if (wire === undefined) pending.delete(id);
      else pending.set(id, wire);
      wake();
    },
    isClosed: () => closed,
    /** Settles when the round that goes on has ended; there is no other. */
    close: async () => {
      closed = true;
      cancel?.();
      await running;
    },
  };
};
