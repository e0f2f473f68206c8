/** Changes that may leave a conversation, as the host read them, and a commit of exactly these changes. */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { FileOwners } from "../thread/owners.ts";

export interface Outgoing {
  readonly changes: Changes;
  readonly identity: GitIdentity;
}

export interface GitIdentity {
  readonly name: string;
  readonly email: string;
}

export interface Changes {
  /** Reads the current checkout, compared with `head`, or with the conversation's commit if `head` is null. */
  read(id: ConversationId, head: string | null, signal: AbortSignal): Promise<ChangesRead>;
  /** Whether a tree of the draft may be committed on top of `head`. */
  goesOn(
    id: ConversationId,
    what: { readonly head: string; readonly tree: string },
    signal: AbortSignal,
  ): Promise<GoesOn>;
  /** Commits trees that the host has read. The same plan makes the same commit in every process. */
  commit(id: ConversationId, plan: CommitPlan, signal: AbortSignal): Promise<OutgoingResult<Committed>>;
  committed(id: ConversationId, name: string): Promise<OutgoingResult<Committed | null>>;
  /** Returns the objects that a remote needs besides the parent's. */
  pack(id: ConversationId, commit: Committed, signal: AbortSignal): Promise<OutgoingResult<Uint8Array>>;
}

export type ChangesRead =
  | { readonly kind: "changes"; readonly changed: ChangedTree }
  /** The conversation has no checkout of its own, or nothing in it differs. */
  | { readonly kind: "none" }
  | { readonly kind: "foreign" }
  | OutgoingFailure;

export type GoesOn =
  | { readonly kind: "yes" }
  /** The draft was remade since, and it contains the earlier version of `paths`, which `head` changed. */
  | { readonly kind: "undoes"; readonly paths: readonly string[] }
  | { readonly kind: "foreign" }
  | OutgoingFailure;

export interface ChangedTree {
  /** Hash over all files; equal for equal content. */
  readonly tree: string;
  readonly parent: string;
  readonly files: readonly ChangedFile[];
  /** Owners at the conversation's commit; absent if owners of files are not enforced. */
  readonly owners?: FileOwners;
}

export interface ChangedFile {
  readonly path: string;
  /** Number of lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface CommitPlan {
  /** Letters and digits. */
  readonly name: string;
  /** Commits in order, each on top of the previous one. Commits that `parent` already has are omitted. */
  readonly commits: readonly { readonly tree: string; readonly message: string }[];
  readonly parent: string;
  readonly author: GitIdentity;
  /** Absent if the author is also the committer. */
  readonly committer?: GitIdentity;
  readonly at: Millis;
}

export interface Committed {
  /** The last commit of the plan. */
  readonly commit: string;
  /** The commit below the first commit of the plan. */
  readonly parent: string;
}

export type OutgoingResult<T> = { readonly kind: "done"; readonly value: T } | OutgoingFailure;

export interface OutgoingFailure {
  readonly kind: "failed";
  readonly message: string;
}
