/** The request to remove everything that a person said; `parley forget` sends it to the running Parley. */

import { z } from "zod";
import { jsonOf } from "../../adapters/http/body.ts";
import { notFound, storeFailed } from "../../adapters/http/problem.ts";
import type { Speaker } from "../machine/vocabulary.ts";
import type { Bot } from "../ports/bot.ts";
import type { ConsoleRequest } from "../ports/console.ts";

interface Own {
  readonly bot: Pick<Bot, "forgetPerson">;
  readonly operator: Speaker;
}

export const forgetRequest = (own: () => Own): ConsoleRequest => ({
  method: "post",
  path: "/api/people/forget",
  does: "Deletes everything that `person` said, and quotes of `names`. Answers when the disk contains nothing of it.",
  approvers: null,
  answer: async (request) => {
    const { bot, operator } = own();
    const { person, names } = await jsonOf(request, forgetBody);
    const result = await bot.forgetPerson({ by: operator.id, person, names });
    if (result.kind === "failed") throw storeFailed(result);
    const { conversations, channels } = result;
    if (conversations + channels === 0)
      throw notFound(
        "person",
        `No message of ${person} is stored here. Name persons as in the trace: slack:U…, discord:…, console:operator.`,
      );
    return Response.json({ conversations, channels, names: result.names });
  },
});

const forgetBody = z.object({
  person: z.templateLiteral([z.string().regex(/[a-z]+/), ":", z.string().regex(/\S{1,200}/)]),
  names: z.array(z.string().min(1).max(200)).max(20).default([]),
});
