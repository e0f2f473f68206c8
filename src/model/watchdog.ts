/**
 * Ends a request that says nothing. The SDK's timeout ends with the response's headers, so a body that stalls
 * would hang for minutes (hazard M1).
 *
 * After a pause of the whole process (a machine that was suspended, or far too busy) its timers are due before what came
 * meanwhile is read: so the last part of the wait begins only when the rest of it is over.
 */

import type { Millis } from "../machine/id.ts";
import type { Clock } from "../ports/host.ts";

/** The last part of a wait that is longer than twice as much. */
const LAST: Millis = 1_000;

interface Watchdog {
  /** Aborted when the caller's signal is, or when nothing was heard for the limit. */
  readonly signal: AbortSignal;
  /** Something came: the wait begins anew, for `limit` if it is given. */
  heard(limit?: Millis): void;
  readonly expired: () => boolean;
  /** Must be called in the end: lets go of the timer. */
  end(): void;
}

export const createWatchdog = (clock: Clock, outer: AbortSignal, usual: Millis): Watchdog => {
  const controller = new AbortController();
  const expire = (): void => controller.abort();
  let cancel: (() => void) | null = null;
  const arm = (limit: Millis): void => {
    cancel?.();
    if (limit <= 2 * LAST) cancel = clock.after(limit, expire);
    else {
      cancel = clock.after(limit - LAST, () => {
        cancel = clock.after(LAST, expire);
      });
    }
  };
  arm(usual);
  return {
    signal: AbortSignal.any([outer, controller.signal]),
    heard: (limit = usual) => arm(limit),
    expired: () => controller.signal.aborted,
    end: () => cancel?.(),
  };
};

interface Hush {
  /** A word came: the wait begins anew. */
  heard(): void;
  /** Must be called in the end: lets go of the timer, and takes back what was told. */
  end(): void;
}

/** Tells once that nothing was said for `limit`, and takes it back with the next word. */
export const createHush = (clock: Clock, limit: Millis, tell: (silent: boolean) => void): Hush => {
  let isTold = false;
  let cancel: (() => void) | null = null;
  const end = (): void => {
    cancel?.();
    if (isTold) tell(false);
    isTold = false;
  };
  const arm = (): void => {
    cancel = clock.after(limit, () => {
      isTold = true;
      tell(true);
    });
  };
  arm();
  return {
    heard: () => {
      end();
      arm();
    },
    end,
  };
};
