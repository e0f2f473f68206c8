/** Retries of model requests (BED-006, C8, C9). */

import type { Millis } from "./id.ts";
import type { Notice } from "./transcript.ts";
import type { Failure, FailureKind } from "./vocabulary.ts";

/** Includes the first attempt (C8). */
export const ATTEMPTS = 3;
/** A provider that requests a longer delay fails the turn, with the provider's text (D11). */
const MAX_RETRY_AFTER: Millis = 60_000;
const FIRST_DELAY: Millis = 1_000;
const RETRYABLE: ReadonlySet<FailureKind> = new Set(["rate_limit", "overloaded", "network"]);

/** Returns the delay after a failed attempt; null if that attempt was the last. */
export const retryDelay = ({ kind, retryAfter }: Failure, attempt: number): Millis | null =>
  RETRYABLE.has(kind) && attempt < ATTEMPTS && (retryAfter ?? 0) <= MAX_RETRY_AFTER
    ? Math.max(FIRST_DELAY * 2 ** (attempt - 1), retryAfter ?? 0)
    : null;

export const attemptText = (attempt: number): string => `${attempt} of ${ATTEMPTS}`;

export const failedText = ({ failure, attempts }: Notice & { readonly kind: "failed" }): string =>
  attempts > 1 ? `Failed after ${attempts} attempts: ${failure.message}` : failure.message;
