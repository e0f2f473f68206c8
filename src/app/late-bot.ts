/** Stands in for the bot in parts that are made before the bot exists. Such a part must not call the bot earlier. */

import type { Core } from "../feature.ts";
import type { Bot } from "../ports/bot.ts";

export const lateBot = (bot: () => Bot): Core["bot"] => ({
  create: (...given) => bot().create(...given),
  say: (...given) => bot().say(...given),
  read: (...given) => bot().read(...given),
  act: (...given) => bot().act(...given),
  forget: (...given) => bot().forget(...given),
});
