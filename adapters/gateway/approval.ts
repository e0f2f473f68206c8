/** What a client is told when its turn cannot go on (Phase 5 section 4, D32). */

import { refusalText } from "../../src/core/refusal.ts";
import { dangerPrompt } from "../../src/core/spoken.ts";
import type { Bot, Detail } from "../../src/runtime/ports.ts";
import type { GatewayDeps } from "./deps.ts";
import type { TurnResult } from "./turn.ts";

export interface Problem {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

export const problemOf = (result: Exclude<TurnResult, { readonly kind: "answered" | "asked" }>): Problem => {
  if (result.kind === "failed") {
    const status = result.why === "rate_limit" ? 429 : 502;
    return { status, type: "server_error", code: result.why, message: result.message };
  }
  const { result: taken } = result;
  switch (taken.kind) {
    case "refused":
      return { status: 409, type: "conflict_error", code: taken.why, message: refusalText(taken.why) };
    case "failed":
      return { status: 503, type: "server_error", code: taken.code, message: taken.message };
    case "duplicate":
    case "unknown":
      return {
        status: 404,
        type: "invalid_request_error",
        code: "unknown_session",
        message: "There is no such session.",
      };
  }
};

/** The call did not run. For a danger the session needs grants; any other question is decided in the console. */
export const approvalError = (deps: GatewayDeps, session: string, detail: Detail): Problem => {
  const base = { status: 400, type: "tool_error", code: "approval_required" };
  const { phase, id } = detail.state;
  if (phase.kind !== "awaitingApproval") return { ...base, message: "An approval is needed." };
  const { question } = phase;
  const common = { session_id: session, blocked_reason: "approval_required" };
  if (question.kind !== "danger") {
    const pending = { id: detail.question?.wire ?? null, conversation: id };
    return { ...base, message: ASKED[question.kind], details: { ...common, question: pending } };
  }
  const details = {
    category: question.categories[0],
    required_categories: question.categories,
    ...common,
    prompt: dangerPrompt(deps.bot.words([question.shown]).get(question.shown), ""),
  };
  const message = `The call needs ${question.categories.join(", ")}. POST /v1/approve-session with the console's token, then send the message again.`;
  return { ...base, message, details };
};

const ASKED = {
  upgrade:
    "The turn needs write access. Approve it in the console or through its API, then send the message again.",
  mode: "The agent proposes another work mode. Decide it in the console or through its API.",
  write: "The agent asks to write to the forge. Decide it in the console or through its API.",
} as const;

/** D32: the held call gets its error and the turn ends idle before the client is told; an upgrade stays asked. */
export const settleQuestion = async (bot: Bot, { state, conversation }: Detail): Promise<void> => {
  if (state.phase.kind !== "awaitingApproval" || state.phase.question.kind !== "danger") return;
  await bot.act(conversation.id, { kind: "stop", by: "gateway:client" });
};
