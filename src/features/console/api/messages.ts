/** What a person says in a conversation, taken once per id. */

import { jsonOf } from "../../../../adapters/http/body.ts";
import { ofConversation } from "./handler.ts";
import { failureOf } from "./refusal.ts";
import { readSaid } from "./say.ts";
import { messageBody } from "./schema.ts";

/** Says `text` with `images`. The same `id` again is taken once. 409 while the agent is busy or waits for an answer. */
export const postMessage = ofConversation(async (deps, c, conversation) => {
  const { bot, operator: speaker, randomId } = deps;
  const body = await jsonOf(c.req.raw, messageBody);
  const said = await readSaid(deps, conversation, body);
  const id = body.id ?? randomId();
  const claim = { surface: "console", id: `${conversation}/${id}`, conversation, speaker };
  const result = await bot.say({ ...claim, ...said });
  if (result.kind === "duplicate") return c.json({ accepted: true, duplicate: true, id }, 202);
  if (result.kind !== "accepted") throw failureOf(result);
  return c.json({ accepted: true, id }, 202);
});
