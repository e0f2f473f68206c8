/**
 * Posted answers: the question, the citations, and whether the citations are still valid. An answer is deleted with its
 * conversation, and when text of the question or the answer is erased.
 */

import type { ConversationId, MessageId, Millis } from "../machine/id.ts";
import type { Citation } from "../text/citation.ts";
import type { Base, RepositoryBinding, Place } from "./conversation.ts";
import type { Done, WriteFailure } from "./host.ts";

/** Id of an answer. `message` is the response that ended the turn. */
export interface AnswerId {
  readonly conversation: ConversationId;
  readonly message: MessageId;
}

export interface Answer extends AnswerId {
  /** Turn that the answer ended. Earlier messages of the conversation are context of the answer. */
  readonly turn: number;
  /** Id of the answer's post; see `turnPost`. */
  readonly post: string;
  /** Responses that the post shows, in order. `Store.words` has their texts. */
  readonly said: readonly MessageId[];
  readonly question: {
    /** The person's own text, without quoted context. */
    readonly text: string;
    /** Whether the text is complete: the message had no pictures and no text of other people. */
    readonly isPlain: boolean;
  };
  readonly at: Millis;
  readonly surface: string;
  /** Null on surfaces without threads, such as the console. */
  readonly thread: { readonly place: string; readonly root: string; readonly server: string | null } | null;
  /** Who could read the answer when it was posted; null if unknown, which counts as private. */
  readonly audience: Audience | null;
  readonly isArchived: boolean;
  readonly repo: RepositoryBinding;
  readonly base: Base;
  /** Citations as they were first checked. `now` has the result of the latest check. */
  readonly citations: readonly Citation[];
  readonly standing: AnswerFreshness;
  /** Commits of the last check, one per repository; empty before the first check. */
  readonly looked: readonly string[];
}

export type Audience = "public" | "private";

/** Reads the current state of a thread from its platform; null if the platform provides none. */
export type ReadThread = (
  thread: Pick<Place, "place" | "root">,
) => Promise<{ readonly audience: Audience | null; readonly isArchived: boolean } | null>;

/**
 * `changed`: a cited text has changed, so the answer is not reused. `moved`: all citations are valid, some of them at another
 * location.
 */
type AnswerFreshness = "holds" | "moved" | "changed";

/** Result of checking one answer against the repository. */
export interface CheckedAnswer extends AnswerId {
  /** The answer's citations in their order, with their new state. */
  readonly citations: readonly Citation[];
  readonly looked: readonly string[];
  /** Whether the answer's post stays unedited. */
  readonly isQuiet: boolean;
}

export interface Answers {
  answer(id: AnswerId): Answer | null;
  /** Returns answers posted at `since` or later, newest first: at most `most`, starting after `after`. */
  answersPage(since: Millis, after: (AnswerId & Pick<Answer, "at">) | null, most: number): readonly Answer[];
  /** Returns unchanged public answers since then, at most `most`, newest first. */
  answersInPublic(since: Millis, most: number): readonly AnswerId[];
  /** Returns answers of chat platforms since then with an unknown audience. */
  answersUnplaced(since: Millis): readonly Answer[];
  /** Sets the audience once; later calls have no effect. */
  setAudience(id: AnswerId, audience: Audience): Promise<Done>;
  /** Stores the results of checks and marks the affected posts for a new delivery. Deleted answers are skipped. */
  setLooked(
    found: readonly CheckedAnswer[],
  ): Promise<{ readonly kind: "done"; readonly shown: readonly AnswerId[] } | WriteFailure>;
}

export const freshnessOf = (citations: readonly Citation[]): AnswerFreshness => {
  const kinds = new Set(citations.map(({ now }) => now?.kind));
  return kinds.has("changed") ? "changed" : kinds.has("moved") ? "moved" : "holds";
};
