/** Buttons, as requests: what a person asks of a conversation, and the visible answer to each click. */

import { nextSeed } from "../../../src/machine/continuation.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import { KERNEL_NEEDS } from "../../../src/machine/refusal.ts";
import type { ActRequest, ActResult } from "../../../src/ports/bot.ts";
import { ANSWERS } from "../../../src/thread/question.ts";
import type { ConsoleDeps } from "../deps.ts";
import { bad, problem, refusalProblem, storageProblem, unknownConversation } from "./problem.ts";
import { readSaid } from "./say.ts";
import type { ActionBody } from "./schema.ts";

/** Performs one action of the table in docs/reference.md; every outcome is an answer. */
export const act = async (deps: ConsoleDeps, id: ConversationId, body: ActionBody): Promise<Response> => {
  const { bot } = deps;
  const result = await bot.act(id, await requestOf(deps, id, body));
  return answer(result, body, async () => (await bot.read(id)) !== null);
};

const requestOf = async (deps: ConsoleDeps, id: ConversationId, body: ActionBody): Promise<ActRequest> => {
  const { bot, operator } = deps;
  switch (body.action) {
    case "decide": {
      const { question, choice, text } = body;
      const known = CHOICES.find((one) => one === choice);
      if (known === undefined) throw bad("unknown_choice", `The choices are ${CHOICES.join(", ")}.`);
      const comment = text === undefined || text.trim() === "" ? null : text.trim();
      return { kind: "decide", question, choice: known, by: operator, comment };
    }
    case "stop":
    case "restrict":
      return { kind: body.action, by: operator.id };
    case "retry":
      return { kind: "retry", speaker: operator };
    case "ask_again":
      return { kind: "askAgain", by: operator };
    case "stop_and_send":
      return { kind: "stopAndSend", speaker: operator, ...(await readSaid(deps, id, body)) };
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
