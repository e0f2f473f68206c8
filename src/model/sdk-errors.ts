/** Converts SDK errors to failures. Only classes and fields are read, never message texts. */

import { APIConnectionError, APIConnectionTimeoutError, APIError } from "@anthropic-ai/sdk";
import { z } from "zod";
import type { Millis } from "../machine/id.ts";
import type { Failure } from "../machine/vocabulary.ts";
import type { LogFields } from "../ports/host.ts";
import {
  type FailureContext,
  networkFailure,
  type ModelProblem,
  refusalFailure,
  unknownFailure,
} from "./failure.ts";

/** `now` is needed for a Retry-After date. A system code without an SDK class means that the body broke. */
export const thrownFailure = (error: unknown, context: FailureContext, now: Millis): Failure => {
  if (error instanceof APIConnectionTimeoutError) return networkFailure({ kind: "timeout" }, context);
  if (error instanceof APIConnectionError) {
    return networkFailure({ kind: "unreachable", code: systemCode(error) }, context);
  }
  if (error instanceof APIError && error.status !== undefined) {
    const { status, headers } = error;
    const problem = { ...bodyProblem(error.error), status, retryAfter: retryAfter(headers, now) };
    return refusalFailure(problem, context);
  }
  return systemCode(error) === null
    ? unknownFailure(errorNameOf(error))
    : networkFailure({ kind: "cut" }, context);
};

/** Null unless the provider complains about the request itself. Must not be logged, because a complaint may quote people. */
export const complaintOf = (error: unknown): string | null =>
  error instanceof APIError && error.status === 400 ? bodyProblem(error.error).message : null;

export const thrownFacts = (error: unknown): LogFields => {
  const told = error instanceof APIError ? error : null;
  return {
    error: errorNameOf(error),
    code: systemCode(error),
    status: told?.status ?? null,
    type: told?.type ?? null,
    request: told?.requestID ?? null,
    at: error instanceof Error ? (/^\s+at .*$/m.exec(error.stack ?? "")?.[0].trim() ?? null) : null,
  };
};

export const errorNameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** `error`: the object inside the body. */
export const eventFailure = (error: unknown, context: FailureContext): Failure =>
  refusalFailure({ ...bodyProblem({ error }), status: null, retryAfter: null }, context);

const body = z.object({
  error: z.object({
    type: z.string().nullish(),
    message: z.string().nullish(),
    details: z.object({ error_code: z.string().nullish() }).nullish().catch(null),
  }),
});

const bodyProblem = (json: unknown): Pick<ModelProblem, "type" | "code" | "message"> => {
  const parsed = body.safeParse(json);
  if (!parsed.success) return { type: null, code: null, message: null };
  const { type, message, details } = parsed.data.error;
  return { type: type ?? null, code: details?.error_code ?? null, message: message ?? null };
};

/** Milliseconds, from a header with milliseconds, seconds or a date; null if missing or in the past. */
export const retryAfter = (headers: Headers | undefined, now: Millis): Millis | null => {
  const millis = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  const text = headers?.get("retry-after") ?? "";
  const seconds = /^\s*[\d.]+\s*$/.test(text) ? Number.parseFloat(text) * 1000 : Date.parse(text) - now;
  const wait = Math.ceil(Number.isFinite(millis) ? millis : seconds);
  return Number.isFinite(wait) && wait > 0 ? wait : null;
};

/** The first code along the causes: the SDK wraps the error of fetch, which wraps the error of the socket. */
export const systemCode = (error: unknown): string | null => {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z_0-9]{2,40}$/.test(at.code)) return at.code;
  }
  return null;
};
