/** Errors as the API says them: `{"error":{"type","code","message","details"?}}`. */

import { HTTPException } from "hono/http-exception";
import { type Refusal, refusalText } from "../../../src/machine/refusal.ts";
import type { WriteFailure } from "../../../src/ports/host.ts";
import { english, type Worded } from "../../../src/words/say.ts";

export type Status = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503 | 507;

export interface Problem {
  readonly status: Status;
  readonly code: string;
  /** One sentence for a person; says what to do next where there is something to do. */
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export const problem = ({ status, code, message, details }: Problem): Response => {
  const error = { type: TYPES[status], code, message, ...(details === undefined ? {} : { details }) };
  return Response.json({ error }, { status, headers: { "cache-control": "no-store" } });
};

/** To be thrown: ends the request with this answer. */
export const refusal = (what: Problem): HTTPException =>
  new HTTPException(what.status, { res: problem(what) });

/** A body or a query that cannot be used. */
export const bad = (code: string, message: string): HTTPException => refusal({ status: 400, code, message });

export const tooLarge = (message: string): HTTPException =>
  refusal({ status: 413, code: "too_large", message });

export const missing = (what: string, message: string): HTTPException =>
  refusal({ status: 404, code: `unknown_${what}`, message });

export const unknownConversation = (): HTTPException =>
  missing("conversation", "There is no such conversation. GET /api/conversations lists those there are.");

/** What the core refused; `details.actions` are bodies of `POST …/actions` that help. */
export const refusalOf = (why: Refusal, says?: Worded): HTTPException => {
  const actions = REMEDIES[why];
  return refusal({
    status: REFUSAL_STATUS[why] ?? 409,
    code: REFUSAL_CODE[why] ?? why,
    message: says?.(english) ?? OWN_TEXT[why] ?? refusalText(why),
    ...(actions === undefined ? {} : { details: { actions } }),
  });
};

/** What a conversation was asked for and did not do. */
export const failureOf = (
  result: WriteFailure | { readonly kind: "unknown" } | { readonly kind: "refused"; readonly why: Refusal },
): HTTPException => {
  if (result.kind === "unknown") return unknownConversation();
  return result.kind === "failed" ? unstored(result) : refusalOf(result.why);
};

/** What was done; what was not ends the request, with `code` where it was refused. */
export const accepted = <T extends { readonly kind: "done" | "begun" | "voted" }>(
  done: T | WriteFailure | { readonly kind: "refused"; readonly why: string },
  code = "unusable_setting",
): T => {
  if (done.kind === "failed") throw unstored(done);
  if (done.kind === "refused") throw bad(code, done.why);
  return done;
};

export const unstored = ({ code }: WriteFailure): HTTPException =>
  refusal({ status: code === "disk_full" ? 507 : 503, code, message: STORAGE_TEXT[code] });

const TYPES: Readonly<Record<Status, string>> = {
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

/** Where it is not 409, a conflict with what goes on. */
const REFUSAL_STATUS: Readonly<Partial<Record<Refusal, Status>>> = {
  not_allowed: 403,
  not_owner: 403,
  may_not_drive: 403,
  wrong_choice: 400,
  unknown_mode: 400,
};

const STOP = [{ action: "stop" }] as const;
const ONWARD = [{ action: "continue" }, { action: "continue", choice: "empty" }] as const;

const REMEDIES: Readonly<Partial<Record<Refusal, readonly Readonly<Record<string, string>>[]>>> = {
  agent_busy: [...STOP, { action: "stop_and_send", text: "…" }],
  answer_held: [{ action: "decide", question: "…", choice: "…" }, ...STOP],
  awaiting_approval: [{ action: "decide", question: "…", choice: "…" }, ...STOP],
  summarizing: STOP,
  context_exhausted: ONWARD,
};

/** Where chat's sentence speaks of what the API has otherwise. */
const OWN_TEXT: Readonly<Partial<Record<Refusal, string>>> = {
  not_allowed: "You may not decide this: PARLEY_APPROVERS does not name the console's operator.",
  wrong_choice: "That is no answer to this question. GET /api/conversations/ID has its choices.",
  unknown_mode: "There is no such work mode. GET /api/about lists those there are.",
};

const REFUSAL_CODE: Readonly<Partial<Record<Refusal, string>>> = {
  not_confined: "not_available",
  summarizing: "agent_busy",
};

const STORAGE_TEXT: Readonly<Record<WriteFailure["code"], string>> = {
  disk_full: "The host's disk is full; nothing was accepted. Free some space and send it again.",
  read_only: "The host's data directory is read-only; nothing was accepted.",
  closing: "The host is shutting down; nothing was accepted. Send it again when it is back.",
  conflict: "What the host has stored contradicts this; nothing was accepted. Its log says more.",
  io: "The host could not write its data; nothing was accepted. Try again in a moment.",
};
