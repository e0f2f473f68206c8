/** Buttons, as requests: what a person asks of a conversation, and the visible answer to each click. */

import { nextSeed } from "../../../src/machine/continuation.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import { KERNEL_NEEDS } from "../../../src/machine/refusal.ts";
import type { Speaker } from "../../../src/machine/words.ts";
import type { ActRequest, ActResult, Bot } from "../../../src/ports/bot.ts";
import { ANSWERS } from "../../../src/thread/question.ts";
import { bad, type Parsed } from "./body.ts";
import { problem, refusalProblem, storageProblem, unknownConversation } from "./problem.ts";
import type { ReadSaid } from "./say.ts";
import type { ActionBody } from "./schema.ts";

/** Performs one action of the table in docs/reference.md; every outcome is an answer. */
export const act = async (
  bot: Bot,
  id: ConversationId,
  body: ActionBody,
  operator: Speaker,
  readSaid: ReadSaid,
): Promise<Response> => {
  const request = await requestOf(bot, id, body, operator, readSaid);
  if (request.kind === "bad") return request.response;
  return answer(await bot.act(id, request.value), body, async () => (await bot.read(id)) !== null);
};

const requestOf = async (
  bot: Bot,
  id: ConversationId,
  body: ActionBody,
  operator: Speaker,
  readSaid: ReadSaid,
): Promise<Parsed<ActRequest>> => {
  switch (body.action) {
    case "decide": {
      const { question, choice, text } = body;
      const known = CHOICES.find((one) => one === choice);
      if (known === undefined) return bad("unknown_choice", `The choices are ${CHOICES.join(", ")}.`);
      const comment = text === undefined || text.trim() === "" ? null : text.trim();
      return ok({ kind: "decide", question, choice: known, by: operator, comment });
    }
    case "stop":
    case "restrict":
      return ok({ kind: body.action, by: operator.id });
    case "retry":
      return ok({ kind: "retry", speaker: operator });
    case "ask_again":
      return ok({ kind: "askAgain", by: operator });
    case "stop_and_send": {
      const said = await readSaid(id, body);
      return said.kind === "bad" ? said : ok({ kind: "stopAndSend", speaker: operator, ...said.value });
    }
    case "safe_mode":
      return ok({ kind: "safeMode", on: body.choice === "on", by: operator });
    case "mode":
      if (body.choice === "restricted") return ok({ kind: "restrict", by: operator.id });
      if (body.choice === "unrestricted") return ok({ kind: "unrestrict", by: operator });
      return ok({ kind: "mode", mode: body.choice, reason: "Chosen in the console.", by: operator.id });
    case "continue": {
      const seed = body.choice ?? nextSeed((await bot.read(id))?.state.phase);
      return ok(seed === null ? { kind: "continue", by: operator } : { kind: "move", seed, by: operator });
    }
    case "continue_here_empty":
      return ok({ kind: "move", seed: "empty", by: operator });
  }
};

const answer = async (
  result: ActResult,
  body: ActionBody,
  exists: () => Promise<boolean>,
): Promise<Response> => {
  switch (result.kind) {
    case "done":
      return Response.json({ result: "done" });
    case "failed":
      return storageProblem(result);
    case "unknown":
      return body.action === "decide" && (await exists())
        ? Response.json({ result: "expired" })
        : unknownConversation();
    case "refused":
      return refusedAnswer(result, body);
  }
};

const refusedAnswer = (result: ActResult & { readonly kind: "refused" }, body: ActionBody): Response => {
  const who = {
    ...(result.by === null ? {} : { by: result.by }),
    ...(result.at === null ? {} : { at: result.at }),
  };
  switch (result.why) {
    case "already_decided":
      return Response.json({ result: result.by === null ? "expired" : "already_decided", ...who });
    case "stale":
      return Response.json({ result: "expired", ...who });
    case "no_op":
    case "already_restricted":
    case "already_unrestricted":
    case "already_continued":
      return Response.json({ result: "no_op", ...who });
    case "not_available":
    case "not_confined":
      return body.action === "restrict"
        ? problem({
            status: 409,
            code: "not_available",
            message: `Restricted mode is not available on this host: it needs ${KERNEL_NEEDS}.`,
            details: { requires: KERNEL_NEEDS },
          })
        : refusalProblem(result.why);
    case "sub_agent":
    case "agent_busy":
    case "context_exhausted":
    case "summarizing":
    case "awaiting_approval":
    case "cancellation_in_progress":
    case "not_allowed":
    case "wrong_choice":
    case "unknown_mode":
    case "no_unrestricted":
    case "may_not_drive":
    case "paused":
      return refusalProblem(result.why);
  }
};

const CHOICES = [...new Set(Object.values(ANSWERS).flat())];

const ok = (value: ActRequest): Parsed<ActRequest> => ({ kind: "ok", value });
