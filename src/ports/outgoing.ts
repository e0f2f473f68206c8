/** What may leave a conversation: its changes, as the host read them, and a commit of exactly these. */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { FileOwners } from "../thread/owners.ts";

export interface Outgoing {
  readonly changes: Changes;
  /** Author of the commits. */
  readonly identity: { readonly name: string; readonly email: string };
}

export interface Changes {
  /** The checkout as it is now, against `head`, or against the conversation's commit where that is null. */
  read(id: ConversationId, head: string | null, signal: AbortSignal): Promise<ChangesRead>;
  /** Whether a tree of the draft may go on top of `head`. */
  goesOn(
    id: ConversationId,
    what: { readonly head: string; readonly tree: string },
    signal: AbortSignal,
  ): Promise<GoesOn>;
  /** Commits trees that the host has read. The same plan makes the same commit in every process. */
  commit(id: ConversationId, plan: CommitPlan, signal: AbortSignal): Promise<OutgoingResult<Committed>>;
  /** The commit that was made under this name; null where none was. */
  committed(id: ConversationId, name: string): Promise<OutgoingResult<Committed | null>>;
  /** What of it its parent does not have, for a remote. */
  pack(id: ConversationId, commit: Committed, signal: AbortSignal): Promise<OutgoingResult<Uint8Array>>;
}

export type ChangesRead =
  | { readonly kind: "changes"; readonly changed: ChangedTree }
  /** There is no checkout of its own, or nothing in it differs. */
  | { readonly kind: "none" }
  /** `head` is nothing that was pushed from here. */
  | { readonly kind: "foreign" }
  | OutgoingFailure;

export type GoesOn =
  | { readonly kind: "yes" }
  /** The draft was made anew since: these files, which `head` changed, stand in it as they did before. */
  | { readonly kind: "undoes"; readonly paths: readonly string[] }
  /** `head` is nothing that was pushed from here. */
  | { readonly kind: "foreign" }
  | OutgoingFailure;

export interface ChangedTree {
  /** Of all files: the same for the same content. */
  readonly tree: string;
  readonly parent: string;
  readonly files: readonly ChangedFile[];
  /** By the conversation's commit; absent where owners do not count. */
  readonly owners?: FileOwners;
}

export interface ChangedFile {
  readonly path: string;
  /** Lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface CommitPlan {
  /** Letters and digits. */
  readonly name: string;
  /** Each on top of the one before; those that `parent` has already are left out. */
  readonly commits: readonly { readonly tree: string; readonly message: string }[];
  readonly parent: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly at: Millis;
}

export interface Committed {
  /** The last of them. */
  readonly commit: string;
  /** What they stand on. */
  readonly parent: string;
}

export type OutgoingResult<T> = { readonly kind: "done"; readonly value: T } | OutgoingFailure;

/** `message`: one sentence. */
export interface OutgoingFailure {
  readonly kind: "failed";
  readonly message: string;
}
