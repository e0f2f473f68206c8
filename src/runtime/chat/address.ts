/**
 * Whose words are input (docs/design/ideas.md). With one person beside the bot every reply is; once a second person has
 * spoken, only what addresses the bot. Whoever is left out for the first time is told so, privately and once.
 */

import type { Participant } from "../../ports/chat-rows.ts";

type Addressing = "input" | "hint" | "aside";

/** `participants`: who has spoken in the thread so far, with or without the speaker. */
export const addressMessage = (
  participants: readonly Participant[],
  { person, addressed }: { readonly person: string; readonly addressed: boolean },
): Addressing => {
  const others = participants.some((one) => one.person !== person);
  if (addressed || !others) return "input";
  return participants.some((one) => one.person === person && one.hinted) ? "aside" : "hint";
};

/** More than one person has spoken: what was said between them is not known to the agent. */
export const isShared = (participants: readonly Participant[]): boolean => participants.length > 1;
