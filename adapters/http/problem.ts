/** Errors in the API's form: `{"error":{"type","code","message","details"?}}`. */

import { HTTPException } from "hono/http-exception";
import type { WriteFailure } from "../../src/ports/host.ts";
import { omitUndefined } from "../../src/text/omit-undefined.ts";

type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503 | 507;

export interface HttpProblem {
  readonly status: ErrorStatus;
  readonly code: string;
  /** One sentence for a person, with the next action if there is one. */
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export const problem = ({ status, code, message, details }: HttpProblem): Response => {
  const error = { type: TYPES[status], code, message, ...omitUndefined({ details }) };
  return Response.json({ error }, { status, headers: { "cache-control": "no-store" } });
};

/** Returns an exception that ends the request with this response. */
export const refusal = (what: HttpProblem): HTTPException =>
  new HTTPException(what.status, { res: problem(what) });

/** `what`: action that only approvers may do. */
export const forbidden = (what: string): HTTPException =>
  refusal({
    status: 403,
    code: "not_allowed",
    message: `You may not ${what}: PARLEY_APPROVERS does not name the console's operator.`,
  });

/** Returns the error for an unusable body or query. */
export const badRequest = (code: string, message: string): HTTPException =>
  refusal({ status: 400, code, message });

export const tooLarge = (message: string): HTTPException =>
  refusal({ status: 413, code: "too_large", message });

export const notFound = (what: string, message: string): HTTPException =>
  refusal({ status: 404, code: `unknown_${what}`, message });

/** Returns a successful result. A failure ends the request, with `code` if it was refused. */
export const accepted = <T extends { readonly kind: "done" | "begun" | "voted" }>(
  done: T | WriteFailure | { readonly kind: "refused"; readonly why: string },
  code = "unusable_setting",
): T => {
  if (done.kind === "failed") throw storeFailed(done);
  if (done.kind === "refused") throw badRequest(code, done.why);
  return done;
};

export const storeFailed = ({ code }: WriteFailure): HTTPException =>
  refusal({ status: code === "disk_full" ? 507 : 503, code, message: STORAGE_TEXT[code] });

const TYPES: Readonly<Record<ErrorStatus, string>> = {
  400: "invalid_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "too_large",
  429: "too_many_requests",
  500: "internal",
  503: "unavailable",
  507: "unavailable",
};

const STORAGE_TEXT: Readonly<Record<WriteFailure["code"], string>> = {
  disk_full: "The host's disk is full; nothing was accepted. Free some space, then try again.",
  read_only: "The host's data directory is read-only; nothing was accepted.",
  closing: "The host is shutting down; nothing was accepted. Try again when the host is running.",
  conflict: "The request contradicts stored data, so nothing was accepted. The host's log has the details.",
  io: "The host could not write its data; nothing was accepted. Try again in a moment.",
};
