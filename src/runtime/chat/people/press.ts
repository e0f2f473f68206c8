import type { ConversationId } from "../../../machine/id.ts";
import type { Speaker } from "../../../machine/vocabulary.ts";
import type { Person } from "../../../ports/chat-platform.ts";
import type { Click, HandleResult } from "../../../ports/chat.ts";
import type { Say } from "../../../i18n/say.ts";
import { memberOf, whisper } from "./member.ts";
import { ownerGroups } from "./owner-groups.ts";
import { groupsOf, speakerOf } from "./rights.ts";
import type { ChatDeps } from "./deps.ts";
import { unknownThreadText } from "./reply-texts.ts";

export interface ButtonPress {
  readonly conversation: ConversationId;
  readonly person: Person;
  readonly speaker: Speaker;
  readonly say: Say;
}

/** `held`: the conversation, if its thread differs from the button's. `perform`: null if the thread shows the result. */
export const press = async (
  deps: Pick<ChatDeps, "name" | "bot" | "ledger" | "platform" | "policy" | "say">,
  click: Omit<Click, "action">,
  held: ConversationId | null,
  perform: (pressed: ButtonPress) => Promise<string | null>,
): Promise<HandleResult> => {
  const { name, bot, ledger, policy } = deps;
  const conversation = held ?? ledger.find(name, click.place, click.root ?? "")?.conversation ?? null;
  if (conversation === null) return click.quiet ? "done" : whisper(deps, click, deps.say(unknownThreadText));
  const groups = [...groupsOf(policy), ...(await ownerGroups(bot, policy, conversation))];
  const member = await memberOf(deps, click.person, [...new Set(groups)]);
  if (typeof member === "string") return whisper(deps, click, member);
  const { person, say } = member;
  const answer = await perform({ conversation, person, speaker: speakerOf(policy, person), say });
  return answer === null || click.quiet ? "done" : whisper(deps, click, answer);
};
