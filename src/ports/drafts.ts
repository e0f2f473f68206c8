/**
 * The disposable copy in which a conversation rehearses a change (D42), declared on the caller's floor. No member
 * throws or rejects. The conversation stays Restricted all the while.
 */

import type { ConversationId } from "../machine/id.ts";

export interface Drafts {
  /** Makes the draft of the checkout as it is now, or answers the one that is there: one a conversation. */
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
  /** What was sealed last; null where nothing was or the draft is gone. Says nothing of what the draft holds by now. */
  sealed(conversation: ConversationId): Promise<DraftResult | null>;
  /**
   * Makes the conversation's own checkout exactly that tree, on a branch, in one step; again it answers the same. The
   * draft goes with it. `commits`: only the first so many of what was sealed.
   */
  apply(
    conversation: ConversationId,
    what: { readonly tree: string; readonly base: string; readonly commits?: number },
    signal: AbortSignal,
  ): Promise<Applied>;
  /** Drops the copy. */
  discard(conversation: ConversationId): Promise<void>;
}

export type Applied =
  /** `tree`: of the branch's head. */
  | { readonly kind: "applied"; readonly branch: string; readonly commit: string; readonly tree: string }
  /** The draft was lost or dropped. */
  | { readonly kind: "gone" }
  /** What was shown is not what there is now. `why` is one sentence. */
  | { readonly kind: "void"; readonly why: string }
  | DraftFailed;

export interface DraftFailed {
  readonly kind: "failed";
  /** One sentence. */
  readonly message: string;
}

export type FileChange = "added" | "changed" | "deleted" | "mode" | "link" | "binary";

export interface DraftFile {
  readonly path: string;
  readonly change: FileChange;
  /** Lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

/** What a draft would make real, as the host itself read it. */
export interface DraftResult {
  /** Full hash of the git tree. */
  readonly tree: string;
  /** The conversation's pinned commit. */
  readonly base: string;
  /** By path; at most MAX_DRAFT_FILES of them. */
  readonly files: readonly DraftFile[];
  readonly filesInAll: number;
  readonly added: number;
  readonly removed: number;
  /** As git writes it, cut after MAX_DRAFT_DIFF characters at the end of a line. */
  readonly diff: string;
  readonly isDiffCut: boolean;
  /** What gets a line of its own, in the order of DELICATE. */
  readonly delicate: readonly Delicate[];
  readonly test: DraftTest | null;
  /** In their order; the last one's tree is `tree`. One where the draft holds no commits of its own. */
  readonly commits: readonly { readonly title: string; readonly tree: string }[];
}

/** Why people should look twice. */
export const DELICATE = ["workflow", "owners", "lock", "executable", "binary", "link"] as const;

export interface Delicate {
  readonly why: (typeof DELICATE)[number];
  readonly path: string;
}

export interface DraftTest {
  readonly command: string;
  /** Null where it did not come to its end. */
  readonly status: number | null;
  /** Why it did not: `time`, `memory`, `disk` …; absent where it did. */
  readonly ended?: string;
  /** The last lines that it wrote. */
  readonly tail: string;
  readonly seconds: number;
}

export const MAX_DRAFT_FILES = 300;
export const MAX_DRAFT_DIFF = 100_000;
