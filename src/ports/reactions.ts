/** Reactions of people to messages: only those that a feature waits for are stored. No member throws or rejects. */

import type { HandleResult, Reaction, Withdrawal } from "./chat.ts";

interface ReactionQuestions {
  isAsked(id: string): boolean;
  /** Asks about the message for the person, with the person's rights. */
  ask(id: string, text: string): Promise<HandleResult>;
}

export interface Reactions {
  take(surface: string, reaction: Reaction, questions: ReactionQuestions): Promise<HandleResult>;
  withdraw(surface: string, reaction: Withdrawal): void;
}

interface ReactedMessage {
  readonly channel: string;
  readonly message: string;
}

/** Name under which `AppPosts.hears` finds a watched emoji. Ids of apps have no slash. */
export const heardEmoji = (emoji: string): string => `emoji/${emoji}`;
/** Name of any watched emoji. */
export const ANY_EMOJI = "emoji/";

/** Reactions to one message are handled in their order. */
export const reactionLane = ({ channel, message }: ReactedMessage): string =>
  `reactions/${channel}/${message}`;

/** `emoji` and `person`: null if all reactions of the message are withdrawn. */
export const withdrawalId = (
  { channel, message }: ReactedMessage,
  emoji: string | null,
  person: string | null,
  at: string,
): string => `unreacted/${channel}/${message}/${emoji ?? ALL}/${person ?? ALL}/${at}`;

const ALL = "*";

/** Whether an event with this id withdraws the reaction. */
export const withdraws = (
  id: string,
  { channel, message, emoji, person }: ReactedMessage & Pick<Reaction, "emoji" | "person">,
): boolean =>
  [
    [emoji, person],
    [emoji, null],
    [null, null],
  ].some(([one = null, by = null]) => id.startsWith(withdrawalId({ channel, message }, one, by, "")));
