/** A bot for parts that are made before it: nothing is asked of it until it is there. */

import type { Core } from "../feature.ts";
import type { Bot } from "../ports/bot.ts";

export const lateBot = (bot: () => Bot): Core["bot"] => ({
  create: (...given) => bot().create(...given),
  say: (...given) => bot().say(...given),
  read: (...given) => bot().read(...given),
  act: (...given) => bot().act(...given),
});
