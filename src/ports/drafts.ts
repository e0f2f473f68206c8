/**
 * The disposable copy in which a conversation rehearses a change (D42), declared on the caller's floor. No member
 * throws or rejects. The conversation stays Restricted all the while.
 */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { DraftResult } from "../thread/draft.ts";

/** What people were shown last. */
interface ShownDrafts {
  /** What was sealed last, also once the draft is gone; null where nothing was. Says nothing of what the draft holds by now. */
  sealed(conversation: ConversationId): Promise<SealedDraft | null>;
  /**
   * The sealed result as people must read it now, if its branch moved on since: the record then has it too. Null if the card is
   * still right, or if nobody can tell. The forge has five seconds to answer.
   */
  movedOn(conversation: ConversationId, signal: AbortSignal): Promise<DraftResult | null>;
}

export interface Drafts extends ShownDrafts {
  /**
   * Makes the draft of the checkout as it is now, or answers the one that is there: one a conversation. Where it has several
   * repositories, `conversation` is the workspace of the one that is meant.
   */
  open(
    conversation: ConversationId,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "open"; readonly again: boolean; readonly files: number } | DraftFailed>;
  /** What it holds by now: what was proposed and is not this any more is void. */
  tree(
    conversation: ConversationId,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "tree"; readonly tree: string } | { readonly kind: "none" } | DraftFailed>;
  /**
   * The host commits what stands there, tests it in a copy of the copy, and answers what people are shown. Kept with the
   * draft; nothing leaves it.
   */
  seal(
    conversation: ConversationId,
    what: { readonly title: string; readonly testCommand?: string },
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: "sealed"; readonly result: DraftResult }
    /** It is as the pinned commit is. */
    | { readonly kind: "unchanged" }
    | { readonly kind: "none" }
    /** Something in it is nothing that the host takes back. One sentence for the model. */
    | { readonly kind: "refused"; readonly message: string }
    | DraftFailed
  >;
  /**
   * Makes the conversation's own checkout exactly that tree, on a branch, in one step; again it answers the same. The
   * draft goes with it. `commits`: only the first so many of what was sealed.
   */
  apply(
    conversation: ConversationId,
    what: { readonly tree: string; readonly base: string; readonly commits?: number },
    signal: AbortSignal,
  ): Promise<ApplyResult>;
  /** The bytes of a sealed tree's change for `git apply`, in each file's own encoding; null if they are too many, or unknown. */
  patch(
    conversation: ConversationId,
    what: { readonly tree: string; readonly base: string },
    signal: AbortSignal,
  ): Promise<Uint8Array | null>;
  /** The repository that it was opened of last, where the conversation has several side by side; else null. */
  folder?(conversation: ConversationId): Promise<string | null>;
  /** Drops the copy. */
  discard(conversation: ConversationId): Promise<void>;
  /** Drops those that nobody has opened or proposed since; how many. */
  expire(before: Millis): Promise<number>;
}

export type SealedDraft = Pick<DraftResult, "tree" | "base" | "commits">;

export type ApplyResult =
  /** `tree`: of the branch's head. */
  | { readonly kind: "applied"; readonly branch: string; readonly commit: string; readonly tree: string }
  /** The draft was lost or dropped. */
  | { readonly kind: "gone" }
  /** What was shown is not what there is now. `why` is one sentence. */
  | { readonly kind: "void"; readonly why: string }
  | DraftFailed;

interface DraftFailed {
  readonly kind: "failed";
  /** One sentence. */
  readonly message: string;
}

export const MAX_DRAFT_FILES = 300;
export const MAX_DRAFT_DIFF = 100_000;
