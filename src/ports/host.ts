import type { Millis } from "../machine/id.ts";

export interface Clock {
  now(): Millis;
  /** Calls `fire` once after `delay` of real time, independent of wall clock changes (D11). Returns a function to cancel. */
  after(delay: Millis, fire: () => void): () => void;
}

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

/** Null if the task has not ended after `most`. */
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

/** At least 128 random bits, as lower-case letters and digits. */
export type RandomId = () => string;

/** Must never contain text of people or models, or secrets. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface Ambient {
  readonly clock: Clock;
  readonly log: Log;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export type WriteFailure = {
  readonly kind: "failed";
  /** `conflict`: stored data contradicts the write, so a retry cannot help. */
  readonly code: "disk_full" | "read_only" | "io" | "conflict" | "closing";
  readonly message: string;
};

export type Done = typeof DONE | WriteFailure;
export const DONE = { kind: "done" } as const;

export const CLOSING: WriteFailure = { kind: "failed", code: "closing", message: "Parley is shutting down." };

/** Masks probable keys and passwords. `beyond`: the file must not be sent; `why` completes a sentence. Never rejects. */
export type MaskFile = (
  bytes: Uint8Array,
) => Promise<
  | { readonly kind: "masked"; readonly bytes: Uint8Array; readonly count: number }
  | { readonly kind: "beyond"; readonly why: string }
>;
