/** What a person says in a conversation, taken once per id. */

import { ofConversation, readJson } from "./body.ts";
import type { ConsoleDeps } from "../deps.ts";
import type { Handler } from "../env.ts";
import { refusalProblem, storageProblem, unknownConversation } from "./problem.ts";
import type { ReadSaid } from "./say.ts";
import { messageBody } from "./schema.ts";

/** Says `text` with `images`. The same `id` again is taken once. 409 while the agent is busy or waits for an answer. */
export const postMessage = (
  { bot, limits, operator: speaker, randomId }: ConsoleDeps,
  readSaid: ReadSaid,
): Handler =>
  ofConversation(async (c, conversation) => {
    const body = await readJson(c.env.incoming, limits.bodyBytes, messageBody);
    if (body.kind === "bad") return body.response;
    const said = await readSaid(conversation, body.value);
    if (said.kind === "bad") return said.response;
    const id = body.value.id ?? randomId();
    const claim = { surface: "console", id: `${conversation}/${id}`, conversation, speaker };
    const result = await bot.say({ ...claim, ...said.value });
    switch (result.kind) {
      case "accepted":
        return c.json({ accepted: true, id }, 202);
      case "duplicate":
        return c.json({ accepted: true, duplicate: true, id }, 202);
      case "refused":
        return refusalProblem(result.why);
      case "unknown":
        return unknownConversation();
      case "failed":
        return storageProblem(result);
    }
  });
