/**
 * Calls that wait as long as their platform asks to, and are made again: for what is done once and has no newer version that
 * would take its place, such as reads, private answers, new threads. What shows progress is not made so: the deliverer keeps
 * the pace itself. Reads, which change nothing, are also made again where no usable answer came.
 */

import type { Millis } from "../../src/machine/id.ts";
import { mayPass, type SendFailure } from "../../src/ports/surface.ts";

/** All waits of one call together; a longer one is the caller's to deal with. */
const PATIENCE: Millis = 20_000;

/** Before a read is made again that got no usable answer. */
const AGAIN: readonly Millis[] = [250, 1_000];

export type RateLimitRetry = ReturnType<typeof createRateLimitRetry>;

export const createRateLimitRetry =
  (troubleOf: (error: unknown) => SendFailure, wait: (delay: Millis) => Promise<unknown>) =>
  /** `met`: what the call was refused with already. */
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
