/** Errors for a turn that cannot continue (Phase 5 section 4, D32). */

import type { MessageId } from "../../machine/id.ts";
import { type Refusal, refusalText } from "../../machine/refusal.ts";
import type { AwaitingApproval } from "../../machine/state.ts";
import type { Category } from "../../machine/vocabulary.ts";
import type { Bot, Detail } from "../../ports/bot.ts";
import { proposalFacts } from "../../thread/proposal.ts";
import { callReason, type DangerPrompt, dangerPrompt } from "../../thread/visible-text.ts";
import type { GatewayDeps } from "./deps.ts";
import type { RequestProblem } from "./failure.ts";
import { FULL_REMEDY, type TurnResult } from "./turn.ts";
import { english } from "../../i18n/say.ts";

export const approvalProblemOf = (
  result: Exclude<TurnResult, { readonly kind: "answered" | "asked" }>,
): RequestProblem => {
  if (result.kind === "failed") {
    const { why, message } = result;
    const [status, code] = FAILURES[why] ?? [502, why];
    return { status, code, message, isTaken: true };
  }
  const { result: taken } = result;
  switch (taken.kind) {
    case "refused":
      return refusalProblem(taken.why);
    case "failed":
      return { status: 503, code: taken.code, message: taken.message };
    case "duplicate":
    case "unknown":
      return {
        status: 404,
        code: "unknown_session",
        message: "This session was deleted. Begin another one (another X-Session-Id).",
      };
  }
};

/** Status and code of failures; all others count as errors of the model's server. */
const FAILURES: Readonly<
  Partial<
    Record<(TurnResult & { readonly kind: "failed" })["why"], readonly [RequestProblem["status"], string]>
  >
> = {
  context: [400, "context_length_exceeded"],
  rate_limit: [429, "rate_limit"],
  budget: [402, "budget"],
  costly: [402, "costly"],
  stopped: [409, "stopped"],
  deleted: [409, "deleted"],
  interrupted: [503, "interrupted"],
};

const refusalProblem = (why: Refusal): RequestProblem => {
  const message = OWN_TEXT[why] ?? refusalText(why);
  return why === "context_exhausted" || why === "already_continued"
    ? { status: 400, code: "context_length_exceeded", message }
    : { status: 409, code: why, message };
};

const FULL_TEXT = `The session's context is full, and it takes no more messages. ${FULL_REMEDY}`;

/** Replacements for chat sentences that mention features which API clients lack. */
const OWN_TEXT: Readonly<Partial<Record<Refusal, string>>> = {
  context_exhausted: FULL_TEXT,
  already_continued: FULL_TEXT,
  summarizing: `The session's context is full; its summary is being written. ${FULL_REMEDY}`,
  agent_busy: "The agent is busy with another message of this session. Send it again when that is answered.",
};

/** Error for a call that did not run. A danger needs grants of the session; any other question is decided in the console. */
export const approvalError = (deps: GatewayDeps, session: string, detail: Detail): RequestProblem => {
  const base = { status: 400, type: "tool_error", code: "approval_required", isTaken: true } as const;
  const { phase, id } = detail.state;
  if (phase.kind !== "awaitingApproval") return { ...base, message: "An approval is needed." };
  const { categories, asked, prompt } = askedOf(deps, phase);
  const details = {
    category: categories[0] ?? null,
    required_categories: categories,
    session_id: session,
    prompt,
    blocked_reason: "approval_required",
  };
  if (phase.question.kind === "danger") return { ...base, message: asked, details };
  const pending = { id: detail.question?.wire ?? null, conversation: id };
  const message = `${asked} Decide it in the console or through its API; the turn then goes on by itself.`;
  return { ...base, message, details: { ...details, question: pending } };
};

interface Asked {
  /** Categories that an approval would allow, in terms that clients know. Grants of these categories answer only a danger. */
  readonly categories: readonly Category[];
  readonly asked: string;
  readonly prompt: DangerPrompt;
}

const askedOf = ({ bot, covers }: GatewayDeps, { question, call }: AwaitingApproval): Asked => {
  const told = (asked: string, categories: readonly Category[], prompt: Omit<DangerPrompt, "why">): Asked => {
    const reason = callReason(bot.words([question.message]).get(question.message), call.id) ?? "";
    const why = reason.trim() === "" ? "The agent gave no reason." : reason;
    return { categories, asked, prompt: { ...prompt, why } };
  };
  const changesIn = (shown: MessageId): readonly string[] => {
    const marks = { code: (text: string) => text, say: english };
    return proposalFacts(bot.words([shown]).get(shown), marks, 10).slice(0, 3);
  };
  switch (question.kind) {
    case "danger": {
      const { categories, shown } = question;
      const asked = `The call needs ${categories.join(", ")}. POST /v1/approve-session with the console's token, then send the message again.`;
      return { categories, asked, prompt: dangerPrompt(bot.words([shown]).get(shown), "") };
    }
    case "upgrade":
      return told(
        "The turn needs write access. Granting categories does not answer it.",
        ["EXEC_ARBITRARY"],
        {
          what: "The agent asks for write access (Unrestricted mode)",
          risk: "what it writes may be lost or wrong, until somebody restricts the session again",
          changes: [covers],
        },
      );
    case "answer": {
      const what = "A person looks at the answer before it is posted.";
      return { categories: [], asked: what, prompt: { what, why: "", risk: "", changes: [] } };
    }
    case "person":
      return told("The agent asks a question.", [], { what: "The agent asks people", risk: "", changes: [] });
    case "mode": {
      const what = `The agent proposes the work mode ${question.mode}`;
      return told("The agent proposes another work mode.", [], { what, risk: "", changes: [] });
    }
    case "write": {
      if (question.write === "secret_command") {
        const what = "The agent asks to run a command with secrets";
        return told(`${what}.`, [], {
          what,
          risk: "it can read the secrets",
          changes: changesIn(question.shown),
        });
      }
      const isCall = question.write === "mcp_call";
      const what = isCall
        ? `The agent asks to call ${question.scope ?? "a tool of another service"}`
        : "The agent asks to write to the forge";
      const changes = changesIn(question.shown);
      const prompt = { what, risk: "it publishes outward", changes };
      return told(`${what}.`, [isCall ? "NETWORK_RISK" : "GIT_PUBLISH"], prompt);
    }
    case "result": {
      const what = "The agent has finished a change";
      const risk = "the session's checkout becomes the tree that is shown";
      const asked = `${what}, which is shown before it is applied.`;
      return told(asked, [], { what, risk, changes: changesIn(question.shown) });
    }
  }
};

/**
 * D32: before the client gets the answer, the held call gets an error and the turn ends idle. An upgrade question stays open.
 */
export const settleQuestion = async (bot: Bot, { state, conversation }: Detail): Promise<void> => {
  if (state.phase.kind !== "awaitingApproval" || state.phase.question.kind !== "danger") return;
  await bot.act(conversation.id, { kind: "stop", by: "gateway:client" });
};
