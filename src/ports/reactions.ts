/** Reactions of people to messages: only those that a feature waits for are stored. No member throws or rejects. */

import type { Say } from "../i18n/say.ts";
import type { HandleResult, Reaction } from "./chat.ts";

interface ReactionQuestions {
  isAsked(id: string): boolean;
  /** Asks about the message for the person, with the person's rights. */
  ask(id: string, text: string): Promise<HandleResult>;
  /** Replies privately. */
  tell(words: (say: Say) => string): Promise<void>;
}

export interface Reactions {
  take(surface: string, reaction: Reaction, questions: ReactionQuestions): Promise<HandleResult>;
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

/** Returns the beginnings of the ids of events that withdraw the reaction. */
export const withdrawalIds = ({
  emoji,
  person,
  ...where
}: ReactedMessage & Pick<Reaction, "emoji" | "person">): readonly string[] => [
  withdrawalId(where, emoji, person, ""),
  withdrawalId(where, emoji, null, ""),
  withdrawalId(where, null, null, ""),
];
