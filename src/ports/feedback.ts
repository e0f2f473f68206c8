/** Voters are stored only as a keyed hash, which allows one vote per answer. No member throws or rejects. */

import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type { Done, WriteFailure } from "./host.ts";
import type { AnswerId } from "./answers.ts";

/** Returns the answer's name in the value of a button. */
export const nameOfAnswer = ({ conversation, message }: AnswerId): string => `${conversation}/${message}`;

export const answerNamed = (name: string): AnswerId | null => {
  const [, conversation, message] = /^c-([^/]+)\/m-([^/]+)$/.exec(name) ?? [];
  return conversation === undefined || message === undefined
    ? null
    : { conversation: `c-${conversation}`, message: `m-${message}` };
};

export type Rating = "up" | "down";

export interface AnswerFeedback extends AnswerId {
  readonly up: number;
  readonly down: number;
  /** Reasons for thumbs down, oldest first, masked and without names. */
  readonly reasons: readonly string[];
  /** Time at which the question was marked as solved; null if it was not, or if a person asked again since. */
  readonly solved: Millis | null;
}

export interface Vote extends AnswerId {
  readonly person: PersonId;
  /** Id of the click. Repeated handling of one click changes nothing. */
  readonly click: string;
  readonly at: Millis;
}

export interface FeedbackReader {
  /** In the order of `answers`; zeros if there is no feedback. */
  received(answers: readonly AnswerId[]): readonly AnswerFeedback[];
}

export interface FeedbackRows extends FeedbackReader {
  thumb(answer: AnswerId, person: PersonId): Rating | null;
  /** Records one vote per person: the other thumb replaces it, the same thumb removes it. Returns the resulting thumb. */
  vote(
    vote: Vote,
    thumb: Rating,
  ): Promise<{ readonly kind: "voted"; readonly thumb: Rating | null } | WriteFailure>;
  /** Stores the reason and sets the person's thumb to down. */
  explain(vote: Vote, reason: string): Promise<Done>;
  /** Marks the conversation's question as solved by this answer, until a person asks again. */
  solve(answer: AnswerId, at: Millis): Promise<Done>;
  solvedIn(surface: string, server: string | null): readonly ConversationId[];
  solvedBy(conversation: ConversationId): (AnswerId & { readonly at: Millis }) | null;
  /** Returns the server of a channel, according to its threads; null if unknown, or if the platform has only one. */
  serverOf(surface: string, place: string): string | null;
}

/** In characters. Longer reasons are cut. */
export const MAX_REASON = 1_000;
