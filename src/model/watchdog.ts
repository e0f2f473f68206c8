/**
 * The SDK's timeout ends with the response's headers, so a stalled body would hang for minutes (hazard M1). After a pause of
 * the process, timers fire before data is read, so the last part of a wait starts only when the rest is over.
 */

import type { Millis } from "../machine/id.ts";
import type { Clock } from "../ports/host.ts";

/** Last part of a wait, for waits longer than twice this time. */
const LAST: Millis = 1_000;

interface Watchdog {
  /** Aborted with the caller's signal, or when nothing was received for the limit. */
  readonly signal: AbortSignal;
  /** Restarts the wait after received data, with `limit` if given. */
  heard(limit?: Millis): void;
  readonly expired: () => boolean;
  /** Must be called at the end. */
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
  heard(): void;
  /** Must be called at the end: withdraws the notice. */
  end(): void;
}

/** Reports once that no text arrived for `limit`, and withdraws the notice with the next text. */
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
