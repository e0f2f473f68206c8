/** Checkouts, and looking up what an answer cites in them, declared on the caller's floor. No member throws or rejects. */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { Failure, CheckoutRestored, Setup, SetupFailure } from "../machine/words.ts";
import type { Citation, ParsedCitation } from "../text/citation.ts";
import type { SetupStatus } from "../thread/post.ts";
import type { Guidance } from "./channels.ts";
import type { Base, Conversation } from "./conversation.ts";

export interface Workspaces {
  /** Makes the checkout if there is none; at once if there is. */
  open(
    conversation: Conversation,
    hooks: {
      readonly signal: AbortSignal;
      readonly onProgress: (line: string) => void;
      /** What becomes of the repository's own set-up, long after the opening; absent: it is not begun. */
      readonly onSetUp?: (setUp: Setup) => void;
      /** Its checkout had been parked and stands again; once. */
      readonly onPutBack?: (putBack: CheckoutRestored) => void;
      /** What it does while it runs, at most once in a second; null when it has ended. */
      readonly onSetUpProgress?: (setUp: SetupStatus | null) => void;
    },
  ): Promise<
    | { readonly kind: "ready"; readonly base: Base }
    | { readonly kind: "failed"; readonly failure: Failure }
    | { readonly kind: "aborted" }
  >;
  /** Whether it was opened on this host, or no other host can have opened it. */
  stands(id: ConversationId): Promise<boolean>;
  /** Before a turn ends: what it changed goes to where other hosts find it, if there are any. */
  keep(id: ConversationId, signal: AbortSignal): Promise<void>;
  /** What each repository says about how to work in it, at the conversation's commit. */
  guidance(conversation: Conversation): Promise<readonly Guidance[]>;
  /** How the set-up of the conversation's commit stands; null where it asks for none. */
  setUp(conversation: Conversation): Promise<SetupState | null>;
}

/** What of a working directory a conversation begins with that goes on from another one. `drafted`: its draft, too. */
export type CopiedCheckout =
  /** `base`: where the other one worked; null where it had no checkout yet. */
  | { readonly kind: "same" | "copied"; readonly base: Base | null; readonly drafted?: true }
  /** What was changed there stays there; `why` goes on after "because". */
  | { readonly kind: "left"; readonly base: Base | null; readonly why: string; readonly drafted?: true }
  /** The process ends: the next one does it. */
  | { readonly kind: "aborted" };

export interface CheckoutCopier {
  /** Once, however often it is asked: the same commit, and what was changed in a checkout of its own. */
  carry(from: Conversation, to: ConversationId, signal: AbortSignal): Promise<CopiedCheckout>;
}

/** Checkouts of conversations that nobody touches take less room. */
export interface CheckoutParking {
  /** Conversations whose directory a look may make smaller. */
  candidates(): Promise<readonly ConversationId[]>;
  /**
   * Keeps of its checkout what differs from the commit and removes the rest; whatever needs the checkout later puts it
   * back first. `since`: when something last happened in it. Gives way to whoever comes meanwhile, and to `signal`.
   */
  park(id: ConversationId, since: Millis, signal: AbortSignal): Promise<ParkResult>;
  /** How many are parked, as far as this process has looked. */
  parked(): number;
  /** Those that other hosts could not find yet go to where they find them. */
  adopt(signal: AbortSignal): Promise<void>;
  /** Another host has the conversation from now on, and may change its checkout. */
  given(id: ConversationId): void;
}

export interface Mirrors {
  /** Removes the mirrors that nothing has used for a week; returns how many. One that is in use stays. */
  removeUnused(): Promise<number>;
}

export type ParkResult =
  | { readonly kind: "parked" }
  /** There is nothing to do, or not now. */
  | { readonly kind: "left" }
  /** It cannot be kept as it is, and stays; not tried again for a day. `why` is for the operator, without a subject. */
  | { readonly kind: "unfit"; readonly why: string };

export interface Citations {
  /**
   * What stands at these places in the conversation's checkout and at its commit, in the order given. What is not
   * certainly a citation and is no place of the repository is left out. Reads nothing but regular files beneath the
   * checkout, at most 40 of them; places beyond these are `unread`.
   */
  check(
    conversation: Conversation,
    base: Base,
    cited: readonly ParsedCitation[],
  ): Promise<readonly Citation[]>;
}

/** `name`: 8 hexadecimal digits, another one where the script, a lock file or the branch is another. */
export type SetupState =
  /** `since`: null while it waits for others to end. */
  | { readonly kind: "running"; readonly name: string; readonly since: Millis | null }
  /** `commit`: that it was made at; another with the same script and lock files has it, too. */
  | {
      readonly kind: "prepared";
      readonly name: string;
      readonly commit: string;
      readonly at: Millis;
      readonly seconds: number;
    }
  | { readonly kind: "failed"; readonly name: string; readonly at: Millis; readonly failure: SetupFailure }
  /** It is never run as it stands. */
  | { readonly kind: "unusable"; readonly why: string }
  /** The next thread that begins runs it. */
  | { readonly kind: "missing"; readonly name: string };
