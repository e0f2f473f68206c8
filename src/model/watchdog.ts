/**
 * Ends a request that says nothing. The SDK's timeout ends with the response's headers, so a body that stalls
 * would hang for minutes (platforms.md 0.9).
 */

import type { Millis } from "../core/id.ts";
import type { Clock } from "../runtime/ports.ts";

export interface Watchdog {
  /** Aborted when the caller's signal is, or when nothing was heard for the limit. */
  readonly signal: AbortSignal;
  /** Something came: the wait begins anew, for `limit` if it is given. */
  heard(limit?: Millis): void;
  readonly expired: () => boolean;
  /** Must be called in the end: lets go of the timer and of the caller's signal. */
  end(): void;
}

export const createWatchdog = (clock: Clock, outer: AbortSignal, usual: Millis): Watchdog => {
  const controller = new AbortController();
  let expired = false;
  const expire = (): void => {
    expired = true;
    controller.abort();
  };
  let cancel = clock.after(usual, expire);
  const relay = (): void => controller.abort();
  outer.addEventListener("abort", relay, { once: true });
  if (outer.aborted) relay();

  return {
    signal: controller.signal,
    heard: (limit = usual) => {
      cancel();
      cancel = clock.after(limit, expire);
    },
    expired: () => expired,
    end: () => {
      cancel();
      outer.removeEventListener("abort", relay);
    },
  };
};
