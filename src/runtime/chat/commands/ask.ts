/** Posts the question in the thread under the person's name, so that all readers see it. */

import type { CommandQuestion, Chat, HandleResult } from "../../../ports/chat.ts";
import type { ChatDeps } from "../people/deps.ts";
import { elsewhereText } from "../people/reply-texts.ts";
import { tooOften } from "../people/turn-rate.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { defineSlashCommand } from "./define-command.ts";
import { memberOf } from "../people/member.ts";
import { rightsOf } from "../people/rights.ts";

export const askCommand = defineSlashCommand({
  words: ["ask"],
  rights: "everybody",
  help: {
    does: "Ask about this channel's repository in a new thread",
    channel: "`/parley ask QUESTION` opens a thread here",
  },
  run: "question",
});

export const handleAskCommand = async (
  deps: ChatDeps,
  hear: Chat["said"],
  asked: CommandQuestion,
): Promise<HandleResult> => {
  const refusal = await refusalOf(deps, asked);
  if (refusal !== null) {
    await asked.reply(refusal);
    return "done";
  }
  const { id, place, direct, person, text, about } = asked;
  const root = about?.root ?? null;
  const since = omitUndefined({ since: asked.at });
  const put = await deps.platform.put({ place, root }, { id, person, text, say: deps.say, ...since });
  if (put.kind === "refused") {
    await asked.reply(deps.say.stored(put.why));
    return "done";
  }
  const said = { id, place, root, direct, message: put.message, person, text, addressed: true };
  return hear({ ...said, files: [], shown: [], about: about?.message ?? null }, true);
};

/** Checked before anything is posted in the channel. */
const refusalOf = async (
  deps: ChatDeps,
  { place, direct, person, text }: CommandQuestion,
): Promise<string | null> => {
  if (text.trim() === "") return deps.say("Write your question: `/parley ask QUESTION`.");
  if (deps.places !== null && !direct && !deps.places.includes(place)) return deps.say(elsewhereText);
  const member = await memberOf(deps, person);
  if (typeof member === "string") return member;
  return tooOften({ ...deps, say: member.say }, person, rightsOf(deps.policy, member.person).mayDrive);
};
