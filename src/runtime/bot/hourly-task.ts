/** A look around once an hour, one after the other, until it is closed. */

import type { Millis } from "../../machine/id.ts";
import type { Clock } from "../../ports/host.ts";

export interface Hourly {
  /** Settles when the look that is under way has ended; there is no other afterwards. */
  close(): Promise<void>;
}

const EVERY: Millis = 60 * 60_000;

const nothing = (): void => undefined;

/** `first`: until the first look, because other things come first after a start. `look`: must not reject. */
export const startHourly = (
  clock: Pick<Clock, "after">,
  first: Millis,
  look: (ending: AbortSignal) => Promise<void>,
): Hourly => {
  const ending = new AbortController();
  let looking: Promise<void> = Promise.resolve();
  let cancel = nothing;

  const later = (delay: Millis): void => {
    cancel = clock.after(delay, () => {
      looking = again();
    });
  };

  const again = async (): Promise<void> => {
    await look(ending.signal);
    if (!ending.signal.aborted) later(EVERY);
  };

  later(first);
  return {
    close: async () => {
      ending.abort();
      cancel();
      await looking;
    },
  };
};
