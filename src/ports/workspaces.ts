/** No member throws or rejects. */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { Failure, CheckoutRestored, Setup, SetupFailure } from "../machine/vocabulary.ts";
import type { Citation, ParsedCitation } from "../text/citation.ts";
import type { SetupStatus } from "../thread/post.ts";
import type { Guidance } from "./channels.ts";
import type { Base, Conversation } from "./conversation.ts";

export interface Workspaces {
  /** Makes the checkout if there is none; returns at once if there is one. */
  open(
    conversation: Conversation,
    hooks: {
      readonly signal: AbortSignal;
      readonly onProgress: (line: string) => void;
      /** Reports the repository's setup, long after the opening. If absent, no setup starts. */
      readonly onSetUp?: (setUp: Setup) => void;
      readonly onPutBack?: (putBack: CheckoutRestored) => void;
      /** Reports the output of the running setup, at most once a second; null after its end. */
      readonly onSetUpProgress?: (setUp: SetupStatus | null) => void;
    },
  ): Promise<
    | { readonly kind: "ready"; readonly base: Base }
    | { readonly kind: "failed"; readonly failure: Failure }
    | { readonly kind: "aborted" }
  >;
  /** Whether the checkout was opened on this host, or cannot have been opened on another one. */
  stands(id: ConversationId): Promise<boolean>;
  /** Called before a turn ends: uploads the changes for other hosts, if there are any. */
  keep(id: ConversationId, signal: AbortSignal): Promise<void>;
  guidance(conversation: Conversation): Promise<readonly Guidance[]>;
  setUp(conversation: Conversation): Promise<SetupState | null>;
}

/** State of the checkout with which a continuation starts. `drafted`: the draft was copied, too. */
export type CopiedCheckout =
  /** `base`: base of the earlier conversation; null if it had no checkout yet. */
  | { readonly kind: "same" | "copied"; readonly base: Base | null; readonly drafted?: true }
  /** The changes remain in the earlier checkout; `why` is displayed after "because". */
  | { readonly kind: "left"; readonly base: Base | null; readonly why: string; readonly drafted?: true }
  | { readonly kind: "aborted" };

export interface CheckoutCopier {
  /** Copies once, however often it is called: the same commit, and the changes of the earlier conversation's own checkout. */
  carry(from: Conversation, to: ConversationId, signal: AbortSignal): Promise<CopiedCheckout>;
}

export interface CheckoutParking {
  candidates(): Promise<readonly ConversationId[]>;
  /** Replaces the checkout by its changes until its next use, which also stops this call. `since`: last activity. */
  park(id: ConversationId, since: Millis, signal: AbortSignal): Promise<ParkResult>;
  parked(): number;
  /** Uploads parked checkouts that other hosts cannot find yet. */
  adopt(signal: AbortSignal): Promise<void>;
  /** Called when another host owns the conversation and may change its checkout. */
  given(id: ConversationId): void;
}

export interface Mirrors {
  /** Removes the mirrors that were unused for a week, and returns their number. A mirror in use is kept. */
  removeUnused(): Promise<number>;
}

export type ParkResult =
  | { readonly kind: "parked" }
  | { readonly kind: "left" }
  /**
   * The checkout cannot be packed and is not retried for a day. `why`: reason for the operator, as a phrase without a
   * grammatical subject.
   */
  | { readonly kind: "unfit"; readonly why: string };

export interface Citations {
  /** In the given order, without uncertain citations that match no file. At most 40 regular files; others are `unread`. */
  check(
    conversation: Conversation,
    base: Base,
    cited: readonly ParsedCitation[],
  ): Promise<readonly Citation[]>;
}

/** `name`: 8 hexadecimal digits that change with the script, a lock file or the branch. */
export type SetupState =
  /** `since`: null while the setup waits for others to end. */
  | { readonly kind: "running"; readonly name: string; readonly since: Millis | null }
  /** `commit`: commit of the setup run. Other commits with the same script and lock files share the result. */
  | {
      readonly kind: "prepared";
      readonly name: string;
      readonly commit: string;
      readonly at: Millis;
      readonly seconds: number;
    }
  | { readonly kind: "failed"; readonly name: string; readonly at: Millis; readonly failure: SetupFailure }
  | { readonly kind: "unusable"; readonly why: string }
  /** The next new thread runs the setup. */
  | { readonly kind: "missing"; readonly name: string };
