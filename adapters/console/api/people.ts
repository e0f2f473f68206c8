/** What concerns a person across all conversations. */

import { readJson } from "./body.ts";
import type { Handler } from "../handler.ts";
import { missing, unstored } from "./problem.ts";
import { forgetBody } from "./schema.ts";

/** Takes back all that `person` said, and quotes of `names`. Answers when it is gone from the disk. */
export const forgetPerson: Handler = async ({ bot, operator }, c) => {
  const { person, names } = await readJson(c, forgetBody);
  const result = await bot.forgetPerson({ by: operator.id, person, names });
  if (result.kind === "failed") throw unstored(result);
  const { conversations, channels } = result;
  if (conversations + channels === 0)
    throw missing(
      "person",
      `Nothing that ${person} said is stored here. Persons are named as in the trace: slack:U…, discord:…, console:operator.`,
    );
  return c.json({ conversations, channels, names: result.names });
};
