/** Pending replies to people whose messages were refused (D7). */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { Refusal } from "../machine/refusal.ts";
import type { Done } from "./host.ts";
import type { Addressee } from "./surface.ts";

export type RefusalReason =
  /** The claim with this id was refused; it may still be sent. */
  | {
      readonly kind: "refused";
      readonly conversation: ConversationId;
      readonly claim: string;
      readonly why: Refusal;
    }
  /** The claim with this id, refused before, is read by the running turn or starts the next one (D51). */
  | {
      readonly kind: "accepted";
      readonly conversation: ConversationId;
      readonly claim: string;
      readonly as: "added" | "waiting";
      /** Whether the author has no write permission, so that an addition makes the rest of the turn Restricted. */
      readonly restricts: boolean;
    }
  /** The message with this claim was edited after it was answered. */
  | { readonly kind: "edited"; readonly conversation: ConversationId; readonly claim: string }
  | { readonly kind: "said"; readonly text: string };

interface Waiting {
  /** `refusal/CLAIM`, or `waited/CLAIM` for a message that waited. */
  readonly key: string;
  readonly why: RefusalReason;
}

export interface PendingReply {
  /** Key of the message, stable until the platform accepts the message, also if replies are merged. */
  readonly key: string;
  /** Oldest first, at least one. */
  readonly waiting: readonly Waiting[];
  /** Platform id of the previous reply, which is still posted; null if there is none. */
  readonly stands: string | null;
}

export interface PostedReply extends Addressee {
  readonly key: string;
  readonly stands: string;
  readonly conversation: ConversationId;
  readonly at: Millis;
}

/**
 * A person has one message per thread. A newer reply joins up to four undelivered ones and replaces one with the same text. The
 * reply about a refused claim is written in the transaction that refuses the claim.
 */
export interface PendingReplyRows {
  /** No effect if a reply with the key is pending or was delivered. */
  owe(
    surface: string,
    to: Addressee,
    reply: { readonly key: string; readonly why: RefusalReason; readonly at: Millis },
  ): Promise<Done>;
  /** Returns the people with pending replies, the longest wait first. */
  owed(surface: string): readonly Addressee[];
  owedTo(surface: string, to: Addressee): PendingReply | null;
  /** Returns the delivered replies that are removed when their turn ends. */
  standing(surface: string): readonly PostedReply[];
  /** `stands`: the delivered message; null if it was deleted or disappears on its own. */
  told(surface: string, to: Addressee, keys: readonly string[], stands: string | null): Promise<Done>;
}

export interface Replies {
  /** Settles when the reply is stored, or delivered if the disk refuses the write. */
  owe(to: Addressee, id: string, why: string | RefusalReason): Promise<void>;
  tell(): void;
  /** Called when a turn ends: removes replies about that turn, once people could read them. */
  over(conversation: ConversationId): void;
  start(): void;
  close(): Promise<void>;
}
