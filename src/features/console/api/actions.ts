/** Button requests for a conversation; every click gets a visible answer. */

import { nextSeed } from "../../../machine/continuation.ts";
import type { ConversationId } from "../../../machine/id.ts";
import { KERNEL_NEEDS, type Refusal } from "../../../machine/refusal.ts";
import { CHOICES } from "../../../machine/vocabulary.ts";
import type { ActRequest, ActResult } from "../../../ports/bot.ts";
import { sendLater } from "../../../ports/later.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { jsonOf } from "../../../../adapters/http/body.ts";
import { accepted, badRequest, refusal } from "../../../../adapters/http/problem.ts";
import { type ConsoleDeps, ofConversation } from "./handler.ts";
import { responseOfFailure, responseOfRefusal, unknownConversation } from "./refusal.ts";
import { readMessage } from "./messages.ts";
import { type ActionBody, actionBody, type JudgeBody } from "./schema.ts";

/**
 * `decide` (with `question` and `choice`; the choice `changes` needs a `text`), `stop`, `stop_and_send`,
 * `send_when_done` and `add_to_turn` (with `text` or `refused`), `remove_waiting` (with `message`), `restrict`, `safe_mode`, `mode`, `model` (with `choice`), `continue`, `retry`,
 * `retry_other`. For an `answer`: `thumb_up`, `thumb_down`, `why` (with `text`), `solved`, `deeper`.
 */
export const postAction = ofConversation(async (deps, c, id) =>
  act(deps, id, await jsonOf(c.req.raw, actionBody)),
);

/** Performs one action of the table in docs/reference.md; every outcome is a response. */
const act = async (deps: ConsoleDeps, id: ConversationId, body: ActionBody): Promise<Response> => {
  const { bot } = deps;
  if (isJudgement(body)) return judge(deps, id, body);
  if (isLater(body)) return sendDuringTurn(deps, id, body);
  const result = await bot.act(id, await requestOf(deps, id, body));
  // A question that the bot does not know is no longer open, if the conversation exists.
  const isOver = result.kind === "unknown" && body.action === "decide" && (await bot.read(id)) !== null;
  return isOver ? Response.json({ result: "expired" }) : answer(result, body);
};

/** `as`: whether the message was `added` to the turn, is `waiting`, or `started` a turn because none ran any more. */
const sendDuringTurn = async (deps: ConsoleDeps, id: ConversationId, body: LaterBody): Promise<Response> => {
  const { message, ...of } = await readMessage(deps, id, body);
  const how = body.action === "add_to_turn" ? "add" : "queue";
  const sent = await sendLater(deps.bot, id, how, { speaker: deps.operator, ...message, ...of });
  return sent.kind === "done" ? Response.json({ result: "done", as: sent.as }) : answer(sent, body);
};

/**
 * Records the operator's opinion of an answer, as on chat platforms: a vote, a reason, or that the question
 * is solved.
 */
const judge = async (
  { bot, feedback, operator, randomId }: ConsoleDeps,
  conversation: ConversationId,
  body: JudgeBody,
): Promise<Response> => {
  if ((await bot.read(conversation)) === null) throw unknownConversation();
  const answer = { conversation, message: body.answer };
  const at = Date.now();
  const vote = { ...answer, person: operator.id, click: randomId(), at };
  const done = await {
    thumb_up: () => feedback.vote(vote, "up"),
    thumb_down: () => feedback.vote(vote, "down"),
    why: () => feedback.explain(vote, body.action === "why" ? body.text : ""),
    solved: () => feedback.solve(answer, at),
  }[body.action]();
  accepted(done);
  return Response.json({ result: "done", thumb: feedback.thumb(answer, operator.id) });
};

type LaterBody = Extract<ActionBody, { readonly action: "send_when_done" | "add_to_turn" }>;

const isLater = (body: ActionBody): body is LaterBody =>
  body.action === "send_when_done" || body.action === "add_to_turn";

const isJudgement = (body: ActionBody): body is JudgeBody => "answer" in body && body.action !== "deeper";

const requestOf = async (
  deps: ConsoleDeps,
  id: ConversationId,
  body: Exclude<ActionBody, JudgeBody | LaterBody>,
): Promise<ActRequest> => {
  const { bot, operator, models } = deps;
  switch (body.action) {
    case "decide": {
      const { question, choice, text, commits } = body;
      const known = KNOWN.find((one) => one === choice);
      if (known === undefined) throw badRequest("unknown_choice", `The choices are ${KNOWN.join(", ")}.`);
      const comment = text === undefined || text.trim() === "" ? null : text.trim();
      return {
        kind: "decide",
        question,
        choice: known,
        by: operator,
        comment,
        ...omitUndefined({ commits }),
      };
    }
    case "stop":
    case "restrict":
      return { kind: body.action, by: operator.id };
    case "retry":
      return { kind: "retry", speaker: operator };
    case "retry_other":
      return { kind: "retry", speaker: operator, other: true };
    case "model": {
      const { choice } = body;
      if (!models.knows(choice))
        throw badRequest("unknown_model", `There is no model ${choice}. There are ${models.all.join(", ")}.`);
      return { kind: "model", model: choice, by: operator };
    }
    case "deeper":
      return { kind: "deeper", answer: body.answer, speaker: operator };
    case "ask_again":
      return { kind: "askAgain", by: operator };
    case "stop_and_send": {
      const { message, ...of } = await readMessage(deps, id, body);
      return { kind: "stopAndSend", speaker: operator, ...message, ...of };
    }
    case "remove_waiting":
      return { kind: "unqueue", message: body.message, by: operator };
    case "safe_mode":
      return { kind: "safeMode", on: body.choice === "on", by: operator };
    case "mode":
      if (body.choice === "restricted") return { kind: "restrict", by: operator.id };
      if (body.choice === "unrestricted") return { kind: "unrestrict", by: operator };
      return { kind: "mode", mode: body.choice, reason: "Chosen in the console.", by: operator.id };
    case "continue": {
      const seed = body.choice ?? nextSeed((await bot.read(id))?.state.phase);
      return seed === null ? { kind: "continue", by: operator } : { kind: "move", seed, by: operator };
    }
    case "continue_here_empty":
      return { kind: "move", seed: "empty", by: operator };
  }
};

const answer = (result: ActResult, { action }: ActionBody): Response => {
  if (result.kind === "done") return Response.json({ result: "done" });
  if (result.kind !== "refused") throw responseOfFailure(result);
  const { why, says } = result;
  // An owner of the previous version returns null if nobody decided before.
  const first = omitUndefined({ by: result.by ?? undefined, at: result.at ?? undefined });
  const past = why === "already_decided" && "by" in first ? why : PAST[why];
  if (past !== undefined) return Response.json({ result: past, ...first });
  if (action === "restrict" && (why === "not_available" || why === "not_confined"))
    throw refusal({
      status: 409,
      code: "not_available",
      message: `Restricted mode is not available on this host: it needs ${KERNEL_NEEDS}.`,
      details: { requires: KERNEL_NEEDS },
    });
  throw responseOfRefusal(why, says);
};

/** Results of clicks that come too late or change nothing. */
const PAST: Readonly<Partial<Record<Refusal, "expired" | "no_op">>> = {
  already_decided: "expired",
  stale: "expired",
  no_op: "no_op",
  not_waiting: "no_op",
  already_restricted: "no_op",
  already_unrestricted: "no_op",
  already_continued: "no_op",
};

const KNOWN = [...new Set(Object.values(CHOICES).flat())];
