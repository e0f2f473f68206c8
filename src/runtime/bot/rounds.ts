/** Work that is looked through anew whenever something changed: one round at a time, and one more after a change meanwhile. */

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
    /** Settles when all that there is now has been looked through. */
    settled: () => running ?? Promise.resolve(),
    /** In the place of any other that was to come. */
    wakeAfter,
    /** Unless one is to come already. */
    wakeWithin: (delay: Millis): void => {
      if (cancel === null) wakeAfter(delay);
    },
    /** Aborted by `close`. */
    ending: ending.signal,
    /** Settles when the round that goes on has ended; there is no other. */
    close: async (): Promise<void> => {
      ending.abort();
      cancel?.();
      await running;
    },
  };
};

export type Hourly = Pick<ReturnType<typeof createRepeatingTask>, "close">;

/** A look around once an hour. `first`: until the first one, because other things come first after a start. */
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
