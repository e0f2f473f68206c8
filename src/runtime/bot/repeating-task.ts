/** Repeats a piece of work after each change: one round at a time, and one more round if a change arrives during a round. */

import { HOUR, type Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";

/** `round`: must not reject. */
export const createRepeatingTask = (clock: Pick<Clock, "after">, round: () => Promise<void> | void) => {
  const ending = new AbortController();
  let running: Promise<void> | null = null;
  let stale = false;
  let cancel: (() => void) | null = null;

  const run = async (): Promise<void> => {
    while (stale && !ending.signal.aborted) {
      stale = false;
      await round();
    }
    running = null;
  };

  const wake = (): void => {
    stale = true;
    running ??= run();
  };

  const wakeAfter = (delay: Millis): void => {
    cancel?.();
    if (ending.signal.aborted) return;
    cancel = clock.after(delay, () => {
      cancel = null;
      wake();
    });
  };

  return {
    wake,
    /** Settles when the current round has ended and no further one is due. */
    settled: () => running ?? Promise.resolve(),
    /** Replaces any scheduled round. */
    wakeAfter,
    wakeWithin: (delay: Millis): void => {
      if (cancel === null) wakeAfter(delay);
    },
    ending: ending.signal,
    /** Settles when the current round has ended. No further round starts. */
    close: async (): Promise<void> => {
      ending.abort();
      cancel?.();
      await running;
    },
  };
};

export type Hourly = Pick<ReturnType<typeof createRepeatingTask>, "close">;

export const startHourly = (
  clock: Pick<Clock, "after">,
  first: Millis,
  look: (ending: AbortSignal) => Promise<void> | void,
): Hourly => {
  const rounds = createRepeatingTask(clock, async () => {
    await look(rounds.ending);
    rounds.wakeAfter(HOUR);
  });
  rounds.wakeAfter(first);
  return rounds;
};
