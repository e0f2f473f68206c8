/** Errors of the API for conversations that did not do as requested. */

import type { HTTPException } from "hono/http-exception";
import { notFound, type HttpProblem, refusal, storeFailed } from "../../../../adapters/http/problem.ts";
import { english, type LocalizedText } from "../../../i18n/say.ts";
import { type Refusal, refusalText } from "../../../machine/refusal.ts";
import type { WriteFailure } from "../../../ports/host.ts";

export const unknownConversation = (): HTTPException =>
  notFound("conversation", "There is no such conversation. GET /api/conversations lists the existing ones.");

/** Error for a refusal of the core. */
export const responseOfRefusal = (why: Refusal, says?: LocalizedText): HTTPException => {
  const problem = { status: 409, code: why, message: refusalText(why), ...OTHERWISE[why] } as const;
  return refusal(says === undefined ? problem : { ...problem, message: says(english) });
};

/** Error for any request that a conversation did not carry out. */
export const responseOfFailure = (
  result: WriteFailure | { readonly kind: "unknown" } | { readonly kind: "refused"; readonly why: Refusal },
): HTTPException => {
  if (result.kind === "unknown") return unknownConversation();
  return result.kind === "failed" ? storeFailed(result) : responseOfRefusal(result.why);
};

const STOP = { action: "stop" };
const STOP_AND_SEND = { action: "stop_and_send", text: "…" };
const WAIT = { action: "send_when_done", text: "…" };
const ADD = { action: "add_to_turn", text: "…" };
const DECIDE = { action: "decide", question: "…", choice: "…" };
const ONWARD = [{ action: "continue" }, { action: "continue", choice: "empty" }];

/**
 * Refusals that are more than a conflict (409) with the core's code and the sentence for chats. `actions`:
 * bodies of `POST …/actions` that help.
 */
const OTHERWISE: Readonly<Partial<Record<Refusal, Partial<HttpProblem>>>> = {
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
    message: "There is no such work mode. GET /api/about lists the existing ones.",
  },
  not_confined: { code: "not_available" },
  agent_busy: { details: { actions: [STOP, STOP_AND_SEND, WAIT, ADD] } },
  answer_held: { details: { actions: [DECIDE, STOP, WAIT] } },
  awaiting_approval: { details: { actions: [DECIDE, STOP, WAIT, ADD] } },
  cancellation_in_progress: { details: { actions: [WAIT] } },
  summarizing: { code: "agent_busy", details: { actions: [STOP] } },
  context_exhausted: { details: { actions: ONWARD } },
};
