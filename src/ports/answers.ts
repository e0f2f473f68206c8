/** An answer is deleted with its conversation, and when text of the question or the answer is erased. */

import type { ConversationId, MessageId, Millis } from "../machine/id.ts";
import type { Citation } from "../text/citation.ts";
import type { Base, RepositoryBinding, Place } from "./conversation.ts";
import type { Done, WriteFailure } from "./host.ts";

/** `message`: the response that ended the turn. */
export interface AnswerId {
  readonly conversation: ConversationId;
  readonly message: MessageId;
}

export interface Answer extends AnswerId {
  readonly turn: number;
  /** Id of the answer's post (`turnPost`). */
  readonly post: string;
  readonly said: readonly MessageId[];
  readonly question: {
    /** The person's own text, without quoted context. */
    readonly text: string;
    /** Whether the text is complete: the message had no pictures and no text of other people. */
    readonly isPlain: boolean;
  };
  readonly at: Millis;
  readonly surface: string;
  readonly thread: { readonly place: string; readonly root: string; readonly server: string | null } | null;
  /** Readers of the answer when it was posted; null if unknown, which counts as private. */
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

/** Reads the state of a thread, now or as of the last minute; null if the platform provides none. */
export type ReadThread = (
  thread: Pick<Place, "place" | "root">,
  asOf?: "lately",
) => Promise<{ readonly audience: Audience | null; readonly isArchived: boolean } | null>;

/** `changed`: a cited text changed, so the answer is not reused. `moved`: citations are valid, some at another location. */
type AnswerFreshness = "holds" | "moved" | "changed";

export interface CheckedAnswer extends AnswerId {
  /** In the order of the answer's citations. */
  readonly citations: readonly Citation[];
  readonly looked: readonly string[];
  /** Whether the answer's post stays unedited. */
  readonly isQuiet: boolean;
}

export interface Answers {
  answer(id: AnswerId): Answer | null;
  /** Returns answers at `since` or later, newest first, starting after `after`. */
  answersPage(since: Millis, after: (AnswerId & Pick<Answer, "at">) | null, most: number): readonly Answer[];
  /** Returns unchanged public answers, newest first. */
  answersInPublic(since: Millis, most: number): readonly AnswerId[];
  /** Returns answers of chat platforms with an unknown audience. */
  answersUnplaced(since: Millis): readonly Answer[];
  /** Sets the audience once; later calls have no effect. */
  setAudience(id: AnswerId, audience: Audience): Promise<Done>;
  /** Marks the affected posts for a new delivery. Deleted answers are skipped. */
  setLooked(
    found: readonly CheckedAnswer[],
  ): Promise<{ readonly kind: "done"; readonly shown: readonly AnswerId[] } | WriteFailure>;
}

export const freshnessOf = (citations: readonly Citation[]): AnswerFreshness => {
  const kinds = new Set(citations.map(({ now }) => now?.kind));
  return kinds.has("changed") ? "changed" : kinds.has("moved") ? "moved" : "holds";
};
