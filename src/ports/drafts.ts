/** Disposable copies in which Restricted conversations try changes (D42). No member throws or rejects. */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { DraftResult, DraftTest } from "../thread/draft.ts";

interface ShownDrafts {
  /** Returns the last sealed result, also after the draft was removed. The draft's current content may differ. */
  sealed(conversation: ConversationId): Promise<SealedDraft | null>;
  /** Updates and returns the sealed result if its branch moved since; null if not or unknown. The forge has five seconds. */
  movedOn(conversation: ConversationId, signal: AbortSignal): Promise<DraftResult | null>;
}

export interface Drafts extends ShownDrafts {
  /** A conversation has one draft. `conversation`: with several repositories, the workspace of the chosen one. */
  open(
    conversation: ConversationId,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "open"; readonly again: boolean; readonly files: number } | DraftFailed>;
  /** A proposal of another tree is void. */
  tree(
    conversation: ConversationId,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "tree"; readonly tree: string } | { readonly kind: "none" } | DraftFailed>;
  /** Commits the draft's content and tests it in a second copy. The result is stored; nothing leaves the host. */
  seal(
    conversation: ConversationId,
    what: { readonly title: string; readonly testCommand?: string },
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: "sealed"; readonly result: DraftResult }
    /** The draft equals the pinned commit. */
    | { readonly kind: "unchanged" }
    | { readonly kind: "none" }
    /** The draft contains something that the host does not accept. One sentence for the model. */
    | { readonly kind: "refused"; readonly message: string }
    | DraftFailed
  >;
  /** Tests a copy of the draft. `allowed`: secrets that an approver allowed for this command. Stores nothing. */
  test(
    conversation: ConversationId,
    what: { readonly command: string; readonly allowed: readonly string[] },
    signal: AbortSignal,
  ): Promise<{ readonly kind: "tested"; readonly test: DraftTest } | { readonly kind: "none" } | DraftFailed>;
  /**
   * Atomic and idempotent: sets the checkout to `tree` on a branch, and removes the draft. `commits`: number from the first.
   */
  apply(
    conversation: ConversationId,
    what: { readonly tree: string; readonly base: string; readonly commits?: number },
    signal: AbortSignal,
  ): Promise<ApplyResult>;
  /** Returns the change of a sealed tree for `git apply`, in each file's own encoding; null if it is too large or unknown. */
  patch(
    conversation: ConversationId,
    what: { readonly tree: string; readonly base: string },
    signal: AbortSignal,
  ): Promise<Uint8Array | null>;
  /** Returns the repository of the latest draft, if the conversation has several; otherwise null. */
  folder?(conversation: ConversationId): Promise<string | null>;
  discard(conversation: ConversationId): Promise<void>;
  /** Removes drafts that were neither opened nor proposed since `before`, and returns their number. */
  expire(before: Millis): Promise<number>;
}

export type SealedDraft = Pick<DraftResult, "tree" | "base" | "commits">;

export type ApplyResult =
  /** `tree`: tree of the branch's head. */
  | { readonly kind: "applied"; readonly branch: string; readonly commit: string; readonly tree: string }
  | { readonly kind: "gone" }
  /** The state no longer matches the card. `why`: one sentence. */
  | { readonly kind: "void"; readonly why: string }
  | DraftFailed;

interface DraftFailed {
  readonly kind: "failed";
  readonly message: string;
}

export const MAX_DRAFT_FILES = 300;
export const MAX_DRAFT_DIFF = 100_000;
