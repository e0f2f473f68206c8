/**
 * Decides which messages are input (docs/design/ideas.md). If one person talks with the bot, every reply is input. After a
 * second person has written, only messages that address the bot are. A person whose message is ignored for the first time gets
 * one private hint.
 */

import type { Participant } from "../../ports/chat-rows.ts";

type Addressing = "input" | "hint" | "aside";

/** `participants`: people who have written in the thread so far, with or without the speaker. */
export const addressMessage = (
  participants: readonly Participant[],
  { person, addressed }: { readonly person: string; readonly addressed: boolean },
): Addressing => {
  const others = participants.some((one) => one.person !== person);
  if (addressed || !others) return "input";
  return participants.some((one) => one.person === person && one.hinted) ? "aside" : "hint";
};

/** Whether several people have written, so that the agent does not know every message. */
export const isShared = (participants: readonly Participant[]): boolean => participants.length > 1;
