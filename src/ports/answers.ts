/**
 * Answers that were posted: what was asked, what was cited, and whether that still holds. Declared on the caller's floor. An
 * answer goes with its conversation, and once words of its question or its own are taken back.
 */

import type { ConversationId, MessageId, Millis } from "../machine/id.ts";
import type { Citation } from "../text/citation.ts";
import type { Base, RepositoryBinding, Place } from "./conversation.ts";
import type { Done, WriteFailure } from "./host.ts";

/** The response that the turn ended with names the answer. */
export interface AnswerId {
  readonly conversation: ConversationId;
  readonly message: MessageId;
}

export interface Answer extends AnswerId {
  /** The turn of its conversation that it ended: what was said before it counts in it. */
  readonly turn: number;
  /** Of its post; see `turnPost`. */
  readonly post: string;
  /** The responses that the post shows, in order: `Store.words` has their texts. */
  readonly said: readonly MessageId[];
  readonly question: {
    /** The person's own words, without what stood around them. */
    readonly text: string;
    /** It brought pictures, or what others had written: its words alone do not say it all. */
    readonly isPlain: boolean;
  };
  readonly at: Millis;
  readonly surface: string;
  /** Null where its surface has none, as the console. */
  readonly thread: { readonly place: string; readonly root: string; readonly server: string | null } | null;
  /** Who could read it when it was posted; null where that is not known, which counts as private. */
  readonly audience: Audience | null;
  readonly isArchived: boolean;
  readonly repo: RepositoryBinding;
  readonly base: Base;
  /** As they were checked, and what became of each since (`now`). */
  readonly citations: readonly Citation[];
  readonly standing: AnswerFreshness;
  /** The commits that it was compared with last, of one repository after the other; empty: it never was. */
  readonly looked: readonly string[];
}

export type Audience = "public" | "private";

/** A thread as its platform has it now; null where that is not told. */
export type ReadThread = (
  thread: Pick<Place, "place" | "root">,
) => Promise<{ readonly audience: Audience | null; readonly isArchived: boolean } | null>;

/** `changed`: it cites what is no longer so, and is not given again. `moved`: all of it holds, some of it elsewhere. */
type AnswerFreshness = "holds" | "moved" | "changed";

/** What a look at the repository found of one answer. */
export interface CheckedAnswer extends AnswerId {
  /** Those that it had, in their order, with what became of them. */
  readonly citations: readonly Citation[];
  readonly looked: readonly string[];
  /** Its post is left as it is. */
  readonly isQuiet: boolean;
}

export interface Answers {
  answer(id: AnswerId): Answer | null;
  /** Those posted at `since` or later, the newest first: at most so many, from behind `after` on. */
  answersPage(since: Millis, after: (AnswerId & Pick<Answer, "at">) | null, most: number): readonly Answer[];
  /** Those of them that everybody could read and that have not changed, at most so many, the newest first. */
  answersInPublic(since: Millis, most: number): readonly AnswerId[];
  /** Those of chat platforms among them of which it is not known who can read them. */
  answersUnplaced(since: Millis): readonly Answer[];
  /** Once: it stays what it was. */
  setAudience(id: AnswerId, audience: Audience): Promise<Done>;
  /** Stores what was found, shows it with the words, and has the posts that show them delivered anew. What is gone stays gone. */
  setLooked(
    found: readonly CheckedAnswer[],
  ): Promise<{ readonly kind: "done"; readonly shown: readonly AnswerId[] } | WriteFailure>;
}

export const freshnessOf = (citations: readonly Citation[]): AnswerFreshness => {
  const kinds = new Set(citations.map(({ now }) => now?.kind));
  return kinds.has("changed") ? "changed" : kinds.has("moved") ? "moved" : "holds";
};
