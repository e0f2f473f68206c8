/**
 * What people think of answers: thumbs, the reasons for those that point down, and what was solved. Who it was is kept
 * nowhere, only a keyed hash by which nobody has two votes on an answer. No member throws or rejects.
 */

import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type { Done, WriteFailure } from "./host.ts";
import type { AnswerId } from "./answers.ts";

/** As it stands on a button. */
export const nameOfAnswer = ({ conversation, message }: AnswerId): string => `${conversation}/${message}`;

export const answerNamed = (name: string): AnswerId | null => {
  const [, conversation, message] = /^c-([^/]+)\/m-([^/]+)$/.exec(name) ?? [];
  return conversation === undefined || message === undefined
    ? null
    : { conversation: `c-${conversation}`, message: `m-${message}` };
};

export type Rating = "up" | "down";

/** What became of one answer. */
export interface AnswerFeedback extends AnswerId {
  readonly up: number;
  readonly down: number;
  /** What was said with thumbs down, the oldest first, masked; nobody's names. */
  readonly reasons: readonly string[];
  /** When its question was marked as solved; null where it was not, or somebody asked on since. */
  readonly solved: Millis | null;
}

export interface Vote extends AnswerId {
  readonly person: PersonId;
  /** Of the gesture: the same one handled again changes nothing. */
  readonly click: string;
  readonly at: Millis;
}

/** For whoever counts. */
export interface FeedbackReader {
  /** Of these answers, in this order; those of which nobody thought anything are all zeros. */
  received(answers: readonly AnswerId[]): readonly AnswerFeedback[];
}

export interface FeedbackRows extends FeedbackReader {
  /** The person's own; null where there is none. */
  thumb(answer: AnswerId, person: PersonId): Rating | null;
  /** One vote a person: the other thumb takes its place, the same one takes it back. Answers what stands then. */
  vote(
    vote: Vote,
    thumb: Rating,
  ): Promise<{ readonly kind: "voted"; readonly thumb: Rating | null } | WriteFailure>;
  /** Why the person's thumb points down, which it does from then on. */
  explain(vote: Vote, reason: string): Promise<Done>;
  /** The conversation's question is solved, by this answer, until somebody asks on. */
  solve(answer: AnswerId, at: Millis): Promise<Done>;
  /** Conversations with threads on the surface's server whose question is solved. */
  solvedIn(surface: string, server: string | null): readonly ConversationId[];
  /** By which answer, and when; null where it is not. */
  solvedBy(conversation: ConversationId): (AnswerId & { readonly at: Millis }) | null;
  /** Of a channel, as its threads tell; null where it is not known, or the platform has one alone. */
  serverOf(surface: string, place: string): string | null;
}

/** Characters of a reason that are kept. */
export const MAX_REASON = 1_000;
