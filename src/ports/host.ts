/** What every part takes from the process it runs in: time, chance and the log. */

import type { Millis } from "../machine/id.ts";

export interface Clock {
  now(): Millis;
  /** Fires once after `delay` of real time, whatever the wall clock does (D11). Returns the way to cancel it. */
  after(delay: Millis, fire: () => void): () => void;
}

/** Settles after `delay`, or once it is given up. */
export const pause = (clock: Pick<Clock, "after">, delay: Millis, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(Math.max(0, delay), done);
    signal?.addEventListener("abort", done);
    if (signal?.aborted === true) done();
  });

/** What the task comes to; null where it has not ended after `most`. */
export const atMost = async <T>(
  clock: Pick<Clock, "after">,
  most: Millis,
  task: Promise<T>,
): Promise<T | null> => {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const cancel = clock.after(most, () => resolve(null));
  try {
    return await Promise.race([task, late]);
  } finally {
    cancel();
  }
};

/** At least 128 random bits, lower-case letters and digits. */
export type RandomId = () => string;

/** Structured log; never given people's or models' words, or secrets. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** What nearly every part takes. */
export interface Ambient {
  readonly clock: Clock;
  readonly log: Log;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** How a write fails. */
export type WriteFailure = {
  readonly kind: "failed";
  /** `conflict`: what is stored contradicts the write, so trying again cannot help. */
  readonly code: "disk_full" | "read_only" | "io" | "conflict" | "closing";
  readonly message: string;
};

/** What a write comes to that has nothing else to say. */
export type Done = typeof DONE | WriteFailure;
export const DONE = { kind: "done" } as const;

/** Once the process ends. */
export const CLOSING: WriteFailure = { kind: "failed", code: "closing", message: "Parley is shutting down." };

/**
 * A shared file with what looks like keys and passwords masked, where it is text. `beyond`: it was not looked through, and
 * may not be sent; why ends a sentence for people. Never rejects.
 */
export type MaskFile = (
  bytes: Uint8Array,
) => Promise<
  | { readonly kind: "masked"; readonly bytes: Uint8Array; readonly count: number }
  | { readonly kind: "beyond"; readonly why: string }
>;
