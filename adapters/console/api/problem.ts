/** Errors as the API says them: `{"error":{"type","code","message","details"?}}`. */

import { HTTPException } from "hono/http-exception";
import { type Refusal, refusalText } from "../../../src/machine/refusal.ts";
import type { WriteFailure } from "../../../src/ports/host.ts";
import { given } from "../../../src/text/given.ts";
import { english, type Worded } from "../../../src/i18n/say.ts";

export type Status = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503 | 507;

export interface Problem {
  readonly status: Status;
  readonly code: string;
  /** One sentence for a person; says what to do next where there is something to do. */
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export const problem = ({ status, code, message, details }: Problem): Response => {
  const error = { type: TYPES[status], code, message, ...given({ details }) };
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

/** What the core refused. */
export const refusalOf = (why: Refusal, says?: Worded): HTTPException => {
  const problem = { status: 409, code: why, message: refusalText(why), ...OTHERWISE[why] } as const;
  return refusal(says === undefined ? problem : { ...problem, message: says(english) });
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

const STOP = { action: "stop" };
const DECIDE = { action: "decide", question: "…", choice: "…" };
const ONWARD = [{ action: "continue" }, { action: "continue", choice: "empty" }];

/**
 * Where the answer is more than a conflict (409) under the core's own name, with the sentence that chats are told.
 * `actions` are bodies of `POST …/actions` that help.
 */
const OTHERWISE: Readonly<Partial<Record<Refusal, Partial<Problem>>>> = {
  not_allowed: {
    status: 403,
    message: "You may not decide this: PARLEY_APPROVERS does not name the console's operator.",
  },
  not_owner: { status: 403 },
  may_not_drive: { status: 403 },
  wrong_choice: {
    status: 400,
    message: "That is no answer to this question. GET /api/conversations/ID has its choices.",
  },
  unknown_mode: {
    status: 400,
    message: "There is no such work mode. GET /api/about lists those there are.",
  },
  not_confined: { code: "not_available" },
  agent_busy: { details: { actions: [STOP, { action: "stop_and_send", text: "…" }] } },
  answer_held: { details: { actions: [DECIDE, STOP] } },
  awaiting_approval: { details: { actions: [DECIDE, STOP] } },
  summarizing: { code: "agent_busy", details: { actions: [STOP] } },
  context_exhausted: { details: { actions: ONWARD } },
};

const STORAGE_TEXT: Readonly<Record<WriteFailure["code"], string>> = {
  disk_full: "The host's disk is full; nothing was accepted. Free some space and send it again.",
  read_only: "The host's data directory is read-only; nothing was accepted.",
  closing: "The host is shutting down; nothing was accepted. Send it again when it is back.",
  conflict: "What the host has stored contradicts this; nothing was accepted. Its log says more.",
  io: "The host could not write its data; nothing was accepted. Try again in a moment.",
};
