/** What the operator thinks of an answer, as on chat platforms: one vote, a reason, that the question is solved. */

import type { ConversationId } from "../../../src/machine/id.ts";
import type { ConsoleDeps } from "../deps.ts";
import { accepted, unknownConversation } from "./problem.ts";
import type { JudgeBody } from "./schema.ts";

export const judge = async (
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
