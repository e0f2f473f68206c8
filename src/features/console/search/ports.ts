import type { ConversationId, MessageId, Millis } from "../../../machine/id.ts";
import type { WriteFailure } from "../../../ports/host.ts";

export interface IndexHit {
  /** Position in the index; the next page starts after it. */
  readonly at: number;
  readonly conversation: ConversationId;
  readonly surface: string;
  readonly title: string;
  readonly updatedAt: Millis;
  readonly archived: boolean;
  readonly of: "title" | "said" | "answer";
  /** Null if the match is in the title. */
  readonly message: MessageId | null;
  /** Text around the first match, in order; `match`: whether the piece is a match. */
  readonly snippet: readonly { readonly text: string; readonly match: boolean }[];
}

export interface SearchIndex {
  /**
   * Returns at most `limit` hits before the position `before`, newest first. A hit contains every typed word,
   * whole or as a prefix, in one message or title; words in double quotes must appear in their order. Any
   * input is valid, because no character has a special meaning.
   */
  find(typed: string, limit: number, before: number | null): readonly IndexHit[];
  /** Indexes a limited part of the new texts; `isDone` if nothing is left. */
  index(): Promise<{ readonly kind: "indexed"; readonly isDone: boolean } | WriteFailure>;
}

export interface PageSearch extends Pick<SearchIndex, "find"> {
  /** Resolves when all stored texts can be found, or when the disk refused a write. */
  catchUp(): Promise<void>;
}
