/** Searching every conversation of every surface. */

import type { ConversationId, MessageId, Millis } from "../../../machine/id.ts";
import type { WriteFailure } from "../../../ports/host.ts";

export interface IndexHit {
  /** Its place in the index; a later search goes on behind it. */
  readonly at: number;
  readonly conversation: ConversationId;
  readonly surface: string;
  readonly title: string;
  readonly updatedAt: Millis;
  readonly archived: boolean;
  readonly of: "title" | "said" | "answer";
  /** Null where the title was found. */
  readonly message: MessageId | null;
  /** Text around the first words that were found, in order; `match`: those themselves. */
  readonly snippet: readonly { readonly text: string; readonly match: boolean }[];
}

export interface SearchIndex {
  /**
   * What was written last first; at most `limit`, from behind `before` on. All of the words that were typed must stand
   * in one message or title, each whole or its beginning; those in double quotes in their order. Whatever is typed is
   * searched for: no sign has a meaning that could be wrong.
   */
  find(typed: string, limit: number, before: number | null): readonly IndexHit[];
  /** Takes up what was written since, a bounded part of it; `isDone` when nothing was left. */
  index(): Promise<{ readonly kind: "indexed"; readonly isDone: boolean } | WriteFailure>;
}

/** What the page searches with. */
export interface PageSearch extends Pick<SearchIndex, "find"> {
  /** Settles when all that is stored now can be found, or when the disk refused. */
  catchUp(): Promise<void>;
}
