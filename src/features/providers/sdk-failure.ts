/** Converts errors that a provider's SDK throws or streams to failures. Only the provider's own messages are used as text. */

import {
  AISDKError,
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  TypeValidationError,
} from "@ai-sdk/provider";
import { z } from "zod";
import type { Millis } from "../../machine/id.ts";
import type { Failure } from "../../machine/vocabulary.ts";
import type { LogFields } from "../../ports/host.ts";
import {
  type FailureContext,
  networkFailure,
  type ModelProblem,
  refusalFailure,
  unknownFailure,
} from "../../model/failure.ts";
import { errorNameOf, retryAfter, systemCode } from "../../model/sdk-errors.ts";
import { jsonIn } from "../../text/json.ts";
import { CutStream } from "./stream-parts.ts";

/** Thrown if the credentials that replace a key are missing or invalid. */
export class NoCredentials extends Error {
  override name = "NoCredentials";
}

/** Whether nothing was sent: the error comes from the system, or from a library that searches for credentials. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === "Error" &&
  !AISDKError.isInstance(error) &&
  /^(ENOENT|EACCES|EISDIR)?$/.test(systemCode(error) ?? "");

export const sdkFailure = (error: unknown, context: FailureContext, now: Millis): Failure => {
  if (error instanceof NoCredentials)
    return refusalFailure({ ...NOTHING, status: 401, retryAfter: null }, context);
  if (error instanceof CutStream) return networkFailure({ kind: "cut" }, context);
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    const told = TypeValidationError.isInstance(error) ? problemOf(error.value) : NOTHING;
    return told.message === null
      ? networkFailure({ kind: "garbled" }, context)
      : refusalFailure({ ...told, status: told.status, retryAfter: waitIn(told.message) }, context);
  }
  const call = callOf(error);
  if (call !== null) {
    const { statusCode: status, responseHeaders, responseBody } = call;
    if (status === undefined || (status === 200 && responseBody === undefined)) {
      return networkFailure({ kind: "unreachable", code: systemCode(call) }, context);
    }
    const said = problemOf(jsonIn(responseBody ?? "") ?? responseBody);
    const wait = retryAfter(new Headers(responseHeaders), now) ?? said.wait ?? waitIn(said.message);
    const type = said.type ?? responseHeaders?.["x-amzn-errortype"]?.split(":")[0] ?? null;
    return refusalFailure(
      { ...said, type, status: status === 200 ? said.status : status, retryAfter: wait },
      context,
    );
  }
  const said = problemOf(error);
  if (!(error instanceof Error) && said.message !== null) {
    return refusalFailure({ ...said, retryAfter: said.wait ?? waitIn(said.message) }, context);
  }
  if (isGarbled(error)) return networkFailure({ kind: "garbled" }, context);
  const isCut = systemCode(error) !== null || (error instanceof TypeError && error.message === "terminated");
  return isCut ? networkFailure({ kind: "cut" }, context) : unknownFailure(errorNameOf(error));
};

/** The code that reads Bedrock's frames throws only plain errors. */
const isGarbled = (error: unknown): boolean =>
  InvalidResponseDataError.isInstance(error) ||
  EmptyResponseBodyError.isInstance(error) ||
  (error instanceof Error && error.name === "Error" && systemCode(error) === null);

/**
 * The provider's message for a refused request; null for any other error. Never logged, because the message may quote people.
 */
export const sdkComplaint = (error: unknown): string | null => {
  const call = callOf(error);
  if (call === null || (call.statusCode !== 400 && call.statusCode !== 422)) return null;
  return problemOf(jsonIn(call.responseBody ?? "")).message;
};

/** Whether a filter of the provider rejected the request before any model read it. */
export const isFiltered = (error: unknown): boolean => {
  const call = callOf(error);
  return (
    call !== null &&
    call.statusCode === 400 &&
    /content_filter|ResponsibleAIPolicy/.test(call.responseBody ?? "")
  );
};

export const sdkFacts = (error: unknown): LogFields => {
  const call = callOf(error);
  const status = call?.statusCode ?? null;
  return {
    error: errorNameOf(error),
    code: systemCode(error),
    status,
    type: problemOf(jsonIn(call?.responseBody ?? "")).type,
  };
};

const callOf = (error: unknown): APICallError | null => (APICallError.isInstance(error) ? error : null);

const named = z.union([z.string(), z.number()]).nullish().catch(null);
const words = z.string().nullish().catch(null);
const detail = z.looseObject({ reason: words, retryDelay: words });
const inner = z.looseObject({
  message: words,
  Message: words,
  type: named,
  code: named,
  status: named,
  statusCode: named,
  details: z.array(detail).nullish().catch(null),
  detail: z.unknown().optional(),
});
/**
 * Error bodies of OpenAI and compatible servers (also at the end of a stream), Gemini (also as a list of one), Bedrock,
 * Mistral, Ollama and vLLM.
 */
const body = z.union([
  z.looseObject({ response: z.looseObject({ error: inner }) }).transform(({ response }) => response.error),
  z.looseObject({ error: inner }).transform(({ error }) => error),
  z
    .array(z.looseObject({ error: inner }))
    .min(1)
    .transform(([first]) => inner.parse(first?.error ?? {})),
  z.looseObject({ error: z.string() }).transform(({ error }) => inner.parse({ message: error })),
  inner,
]);

interface Said extends Omit<ModelProblem, "retryAfter"> {
  readonly wait: Millis | null;
}

const NOTHING: Said = { status: null, type: null, code: null, message: null, wait: null };

const problemOf = (json: unknown): Said => {
  const parsed = body.safeParse(json);
  if (!parsed.success)
    return typeof json === "string" && json !== "" ? { ...NOTHING, message: json } : NOTHING;
  const { message, Message, type, code, status, statusCode, details, detail: more } = parsed.data;
  const delay = details?.find((one) => one.retryDelay != null)?.retryDelay ?? null;
  const told = message ?? Message ?? (more === undefined ? null : JSON.stringify(more));
  const number = [code, status, statusCode].find((one) => typeof one === "number") ?? null;
  return {
    status: typeof number === "number" && number >= 400 && number < 600 ? number : null,
    type: type === null || type === undefined ? (typeof status === "string" ? status : null) : String(type),
    code: typeof code === "string" ? code : null,
    message: told,
    wait: delay === null ? null : waitIn(`try again in ${delay}`),
  };
};

/** Parses messages such as "Please try again in 1m2.5s". */
const waitIn = (message: string | null): Millis | null => {
  const [, hours, minutes, count, unit] =
    /(?:try again|retry) in (?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)(ms|s))?/i.exec(message ?? "") ?? [];
  const rest = Number(count ?? 0) * (unit === "ms" ? 1 : 1_000);
  const wait = Math.ceil(Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000 + rest);
  return wait > 0 ? wait : null;
};
