/**
 * Repeats calls after the wait that the platform requests. Used for calls that are done once and have no newer version, such as
 * reads, private replies and new threads. Progress is not repeated here, because the deliverer paces it. Reads, which change
 * nothing, are also repeated if no usable response arrived.
 */

import type { Millis } from "../../src/machine/id.ts";
import { mayPass, type SendFailure } from "../../src/ports/surface.ts";

/** Maximum total wait of one call; the caller handles longer ones. */
const PATIENCE: Millis = 20_000;

/** Waits before a read without a usable response is repeated. */
const AGAIN: readonly Millis[] = [250, 1_000];

export type RateLimitRetry = ReturnType<typeof createRateLimitRetry>;

export const createRateLimitRetry =
  (troubleOf: (error: unknown) => SendFailure, wait: (delay: Millis) => Promise<unknown>) =>
  /** `met`: error of an earlier attempt. */
  async <T>(
    call: () => Promise<T>,
    { isRead, met }: { readonly isRead: boolean; readonly met?: unknown },
  ): Promise<T> => {
    let left = PATIENCE;
    const again = isRead ? [...AGAIN] : [];
    const waitAfter = async (error: unknown): Promise<void> => {
      const trouble = troubleOf(error);
      const delay =
        trouble.kind === "throttled" ? trouble.retryAfter : mayPass(trouble) ? again.shift() : undefined;
      if (delay === undefined || delay > left) throw error;
      left -= delay;
      await wait(delay);
    };
    if (met !== undefined) await waitAfter(met);
    for (;;) {
      try {
        return await call();
      } catch (error) {
        await waitAfter(error);
      }
    }
  };
