import type { Person } from "../../../ports/chat-platform.ts";
import type { HandleResult } from "../../../ports/chat.ts";
import type { Addressee } from "../../../ports/surface.ts";
import type { Say } from "../../../i18n/say.ts";
import { type ChatDeps, toPerson } from "./deps.ts";
import { strangerText, unreadPersonText } from "./reply-texts.ts";
import { groupsOf } from "./rights.ts";

interface Member {
  readonly person: Person;
  readonly say: Say;
}

/** Returns a reply if the person cannot be read or has no rights here. */
export const memberOf = async (
  deps: Pick<ChatDeps, "platform" | "policy" | "say">,
  id: string,
  groups = groupsOf(deps.policy),
): Promise<Member | string> => {
  const read = await deps.platform.person(id, groups);
  if (read.kind === "unread") return unreadPersonText(read.why, deps.say);
  const { person } = read;
  const { say } = toPerson(deps, person);
  return person.standing === "member" ? { person, say } : strangerText(person.standing, say);
};

export const whisper = async (
  { platform }: Pick<ChatDeps, "platform">,
  { place, root, person }: Addressee,
  text: string,
): Promise<HandleResult> => {
  await platform.whisper({ place, root, person }, { text, buttons: [] });
  return "done";
};
