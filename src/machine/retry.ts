/** When a request to the model is made again, and what people are told of it (BED-006, C8, C9). */

import type { Millis } from "./id.ts";
import type { Notice } from "./transcript.ts";
import type { Failure, FailureKind } from "./words.ts";

/** Attempts in all, the first included (C8). */
export const ATTEMPTS = 3;
/** A provider that asks for a longer wait than this fails the turn with its text (D11). */
const MAX_RETRY_AFTER: Millis = 60_000;
const FIRST_DELAY: Millis = 1_000;
const RETRYABLE: ReadonlySet<FailureKind> = new Set(["rate_limit", "overloaded", "network"]);

/** How long to wait after attempt `attempt` has failed; null: it was the last. */
export const retryDelay = ({ kind, retryAfter }: Failure, attempt: number): Millis | null =>
  RETRYABLE.has(kind) && attempt < ATTEMPTS && (retryAfter ?? 0) <= MAX_RETRY_AFTER
    ? Math.max(FIRST_DELAY * 2 ** (attempt - 1), retryAfter ?? 0)
    : null;

/** Which one it is, of how many there may be. */
export const attemptText = (attempt: number): string => `attempt ${attempt} of ${ATTEMPTS}`;

/** Why a turn failed, and after how many attempts where it was more than one (BED-006.2). */
export const failedText = ({ failure, attempts }: Notice & { readonly kind: "failed" }): string =>
  attempts > 1 ? `Failed after ${attempts} attempts: ${failure.message}` : failure.message;
