/** What a client is told when its turn cannot go on (Phase 5 section 4, D32). */

import { type Refusal, refusalText } from "../../src/machine/refusal.ts";
import type { AwaitingApproval } from "../../src/machine/state.ts";
import type { Category } from "../../src/machine/words.ts";
import type { Bot, Detail } from "../../src/ports/bot.ts";
import { proposalFacts } from "../../src/thread/proposal.ts";
import { callReason, type DangerPrompt, dangerPrompt } from "../../src/thread/spoken.ts";
import type { GatewayDeps } from "./deps.ts";
import type { Problem } from "./failure.ts";
import { FULL_REMEDY, type TurnResult } from "./turn.ts";
import { english } from "../../src/words/say.ts";

export const problemOf = (result: Exclude<TurnResult, { readonly kind: "answered" | "asked" }>): Problem => {
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

/** Status and code of those that are not simply the model's server. */
const FAILURES: Readonly<
  Partial<Record<(TurnResult & { readonly kind: "failed" })["why"], readonly [Problem["status"], string]>>
> = {
  context: [400, "context_length_exceeded"],
  rate_limit: [429, "rate_limit"],
  budget: [402, "budget"],
  costly: [402, "costly"],
  stopped: [409, "stopped"],
  deleted: [409, "deleted"],
  interrupted: [503, "interrupted"],
};

const refusalProblem = (why: Refusal): Problem => {
  const message = OWN_TEXT[why] ?? refusalText(why);
  return why === "context_exhausted" || why === "already_continued"
    ? { status: 400, code: "context_length_exceeded", message }
    : { status: 409, code: why, message };
};

const FULL_TEXT = `The session's context is full, and it takes no more messages. ${FULL_REMEDY}`;

/** Where chat's sentence speaks of what clients have not. */
const OWN_TEXT: Readonly<Partial<Record<Refusal, string>>> = {
  context_exhausted: FULL_TEXT,
  already_continued: FULL_TEXT,
  summarizing: `The session's context is full; its summary is being written. ${FULL_REMEDY}`,
  agent_busy: "The agent is busy with another message of this session. Send it again when that is answered.",
};

/** The call did not run. For a danger the session needs grants; any other question is decided in the console. */
export const approvalError = (deps: GatewayDeps, session: string, detail: Detail): Problem => {
  const base = { status: 400, type: "tool_error", code: "approval_required", isTaken: true } as const;
  const { phase, id } = detail.state;
  if (phase.kind !== "awaitingApproval") return { ...base, message: "An approval is needed." };
  const { question } = phase;
  const categories = categoriesOf(question);
  const details = {
    category: categories[0] ?? null,
    required_categories: categories,
    session_id: session,
    prompt: promptOf(deps, phase),
    blocked_reason: "approval_required",
  };
  if (question.kind === "danger") {
    const message = `The call needs ${categories.join(", ")}. POST /v1/approve-session with the console's token, then send the message again.`;
    return { ...base, message, details };
  }
  const pending = { id: detail.question?.wire ?? null, conversation: id };
  const message = `${askedOf(question)} Decide it in the console or through its API; the turn then goes on by itself.`;
  return { ...base, message, details: { ...details, question: pending } };
};

const ANSWER_HELD = "A person looks at the answer before it is posted.";

type Question = AwaitingApproval["question"];
/** What an approval would let happen, in the categories that clients know. Granting them answers no question but a danger. */
const categoriesOf = (question: Question): readonly Category[] => {
  switch (question.kind) {
    case "danger":
      return question.categories;
    case "upgrade":
      return ["EXEC_ARBITRARY"];
    case "write":
      return [question.write === "mcp_call" ? "NETWORK_RISK" : "GIT_PUBLISH"];
    case "result":
    case "mode":
    case "answer":
      return [];
  }
};

const askedOf = (question: Exclude<Question, { readonly kind: "danger" }>): string => {
  switch (question.kind) {
    case "upgrade":
      return "The turn needs write access. Granting categories does not answer it.";
    case "mode":
      return "The agent proposes another work mode.";
    case "write":
      return `${writeOf(question)}.`;
    case "result":
      return "The agent has finished a change, which is shown before it is applied.";
    case "answer":
      return ANSWER_HELD;
  }
};

const writeOf = ({ write, scope }: Question & { readonly kind: "write" }): string =>
  write === "mcp_call"
    ? `The agent asks to call ${scope ?? "a tool of another service"}`
    : "The agent asks to write to the forge";

const promptOf = ({ bot, covers }: GatewayDeps, { question, call }: AwaitingApproval): DangerPrompt => {
  const reason = callReason(bot.words([question.message]).get(question.message), call.id) ?? "";
  const why = reason.trim() === "" ? "The agent gave no reason." : reason;
  switch (question.kind) {
    case "danger":
      return dangerPrompt(bot.words([question.shown]).get(question.shown), "");
    case "upgrade":
      return {
        what: "The agent asks for write access (Unrestricted mode)",
        why,
        risk: "what it writes may be lost or wrong, until somebody restricts the session again",
        changes: [covers],
      };
    case "answer":
      return { what: ANSWER_HELD, why: "", risk: "", changes: [] };
    case "mode":
      return { what: `The agent proposes the work mode ${question.mode}`, why, risk: "", changes: [] };
    case "write":
    case "result":
      return {
        what: question.kind === "write" ? writeOf(question) : "The agent has finished a change",
        why,
        risk:
          question.kind === "write"
            ? "it publishes outward"
            : "the session's checkout becomes the tree that is shown",
        changes: proposalFacts(
          bot.words([question.shown]).get(question.shown),
          { code: (text) => text, say: english },
          10,
        ).slice(0, 3),
      };
  }
};

/** D32: the held call gets its error and the turn ends idle before the client is told; an upgrade stays asked. */
export const settleQuestion = async (bot: Bot, { state, conversation }: Detail): Promise<void> => {
  if (state.phase.kind !== "awaitingApproval" || state.phase.question.kind !== "danger") return;
  await bot.act(conversation.id, { kind: "stop", by: "gateway:client" });
};
