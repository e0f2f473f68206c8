/** What concerns a person across all conversations. */

import { readJson } from "./body.ts";
import type { Handler } from "../env.ts";
import { problem, storageProblem } from "./problem.ts";
import { forgetBody } from "./schema.ts";

/** Takes back all that `person` said, and quotes of `names`. Answers when it is gone from the disk. */
export const forgetPerson: Handler = async (deps, c) => {
  const { bot, operator } = deps;
  const { person, names } = await readJson(c, deps, forgetBody);
  const result = await bot.forgetPerson({ by: operator.id, person, names });
  if (result.kind === "failed") return storageProblem(result);
  const { conversations, channels } = result;
  return conversations + channels === 0
    ? problem({
        status: 404,
        code: "unknown_person",
        message: `Nothing that ${person} said is stored here. Persons are named as in the trace: slack:U…, discord:…, console:operator.`,
      })
    : c.json({ conversations, channels, names: result.names });
};
