/** Checkouts, and looking up what an answer cites in them, declared on the caller's floor. No member throws or rejects. */

import type { Citation, Parsed } from "../core/citation.ts";
import type { ConversationId } from "../core/id.ts";
import type { Failure, SetUp } from "../core/words.ts";
import type { Guidance } from "./ports-guidance.ts";
import type { Base, Conversation } from "./ports.ts";

export interface Workspaces {
  /** Makes the checkout if there is none; at once if there is. */
  open(
    conversation: Conversation,
    hooks: {
      readonly signal: AbortSignal;
      readonly onProgress: (line: string) => void;
      /** What becomes of the repository's own set-up, long after the opening; absent: it is not begun. */
      readonly onSetUp?: (setUp: SetUp) => void;
    },
  ): Promise<
    | { readonly kind: "ready"; readonly base: Base }
    | { readonly kind: "failed"; readonly failure: Failure }
    | { readonly kind: "aborted" }
  >;
  /** What the repository says about how to work in it, at the conversation's commit; absent where nobody reads it. */
  guidance?(conversation: Conversation): Promise<Guidance | null>;
}

/** What of a working directory a conversation begins with that goes on from another one. */
export type Carried =
  /** `base`: where the other one worked; null where it had no checkout yet. */
  | { readonly kind: "same" | "copied"; readonly base: Base | null }
  /** What was changed there stays there; `why` goes on after "because". */
  | { readonly kind: "left"; readonly base: Base | null; readonly why: string }
  /** The process ends: the next one does it. */
  | { readonly kind: "aborted" };

export interface Carries {
  /** Once, however often it is asked: the same commit, and what was changed in a checkout of its own. */
  carry(from: Conversation, to: ConversationId, signal: AbortSignal): Promise<Carried>;
}

export interface Citations {
  /**
   * What stands at these places in the conversation's checkout and at its commit, in the order given. What is not
   * certainly a citation and is no place of the repository is left out. Reads nothing but regular files beneath the
   * checkout, at most 40 of them; places beyond these are `unread`.
   */
  check(conversation: Conversation, base: Base, cited: readonly Parsed[]): Promise<readonly Citation[]>;
}
