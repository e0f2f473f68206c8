/** Every reply of a single person is input. Once a second person has written, only messages that address the bot are input. */

import type { Participant } from "../../ports/chat-rows.ts";

type Addressing = "input" | "hint" | "aside";

/**
 * `participants`: earlier authors in the thread. A person's first ignored message gets a private hint, except in a quiet
 * thread.
 */
export const addressMessage = (
  participants: readonly Participant[],
  { person, addressed }: { readonly person: string; readonly addressed: boolean },
  isQuiet: boolean,
): Addressing => {
  if (isQuiet && !addressed) return "aside";
  const others = participants.some((one) => one.person !== person);
  if (addressed || !others) return "input";
  return participants.some((one) => one.person === person && one.hinted) ? "aside" : "hint";
};

/** In a shared thread the agent does not know every message. */
export const isShared = (participants: readonly Participant[]): boolean => participants.length > 1;
