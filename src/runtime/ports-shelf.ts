/**
 * Conversations as things that people keep: renamed, archived, removed. Declared on the caller's floor; no member
 * throws or rejects.
 */

import type { ConversationId, Millis, PersonId } from "../core/id.ts";

/** What surfaces offer. Every answer comes when what was asked for is on the disk. */
export interface Shelf<Result> {
  rename(id: ConversationId, title: string, by: PersonId): Promise<Result>;
  /** It stops what it does and leaves the list; `false` brings it back, and so does the next turn. */
  archive(id: ConversationId, archived: boolean, by: PersonId): Promise<Result>;
  /**
   * It stops what it does and is gone with its sub-agents: words, posts, trace, files that nobody else names, checkout.
   * What it wrote on a chat platform stays there.
   */
  remove(id: ConversationId, by: PersonId): Promise<Result>;
}

/** What taking conversations out of the store needs of it. */
export interface Removable<Failure> {
  setArchived(id: ConversationId, archived: boolean): Promise<{ readonly kind: "done" } | Failure>;
  /** It, its sub-agents and its thread are out of sight, in one step; their rows go with `removeSome`. */
  hide(id: ConversationId): Promise<{ readonly kind: "done" } | Failure>;
  /** Those that are hidden, sub-agents left out. */
  hidden(): readonly ConversationId[];
  /** Removes a bounded number of rows of hidden conversations; after the last of them nothing of it is in the file. */
  removeSome(): Promise<{ readonly kind: "removed"; readonly more: boolean } | Failure>;
  /** Hashes of some files that removed rows named and nobody names any more. */
  looseBlobs(): Promise<{ readonly kind: "loose"; readonly hashes: readonly string[] } | Failure>;
  /** They are gone from the disk. */
  dropBlobs(hashes: readonly string[]): Promise<{ readonly kind: "done" } | Failure>;
  /** Conversations of people, archived ones too, that nothing happened in since, the oldest first. */
  untouched(before: Millis, limit: number): readonly ConversationId[];
}

/** What a removed conversation leaves outside of the store. */
export interface Discards {
  /** Its checkout, home and whatever lies beside them. Again is no harm. */
  discard(id: ConversationId): Promise<void>;
}
