/** Replies that people are owed for what was not taken (D7), declared on the caller's floor. */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { Refusal } from "../machine/refusal.ts";
import type { Done } from "./host.ts";
import type { Addressee } from "./surface.ts";

/** Why something was not taken. */
export type RefusalReason =
  /** The claim of that id was refused; it may be sent after all. */
  | {
      readonly kind: "refused";
      readonly conversation: ConversationId;
      readonly claim: string;
      readonly why: Refusal;
    }
  | { readonly kind: "said"; readonly text: string };

/** A reply that was not told yet. */
interface Waiting {
  /** `refusal/CLAIM`. */
  readonly key: string;
  readonly why: RefusalReason;
}

export interface PendingReply {
  /** Key of the message. It stays the same until the platform takes the message, also if replies join. */
  readonly key: string;
  /** Oldest first, at least one; the newest is the last. */
  readonly waiting: readonly Waiting[];
  /** The platform's id of the reply before it, which still stands there; null where there is none. */
  readonly stands: string | null;
}

export interface PostedReply extends Addressee {
  readonly key: string;
  readonly stands: string;
  readonly conversation: ConversationId;
  /** When it was owed. */
  readonly at: Millis;
}

/**
 * One message for each person in each thread: a newer reply joins up to four that are not told yet, and replaces one of
 * the same words. That of a refused claim is written in the transaction that refuses it.
 */
export interface PendingReplyRows {
  /** Nothing happens where a reply of that key is owed or was told. */
  owe(
    surface: string,
    to: Addressee,
    reply: { readonly key: string; readonly text: string; readonly at: Millis },
  ): Promise<Done>;
  /** Who is owed one, whoever has waited longest first. */
  owed(surface: string): readonly Addressee[];
  owedTo(surface: string, to: Addressee): PendingReply | null;
  /** Those that go with the turn that they tell of. */
  standing(surface: string): readonly PostedReply[];
  /** The replies of these keys were told. `stands` is the message that tells them; null if it is gone or goes by itself. */
  told(surface: string, to: Addressee, keys: readonly string[], stands: string | null): Promise<Done>;
}

export interface Replies {
  /** Tells the person why what has that id was not taken. Settles when it is owed, or told where the disk refuses. */
  owe(to: Addressee, id: string, text: string): Promise<void>;
  /** Tells what is owed: something may be since it was called last. */
  tell(): void;
  /** A turn of the conversation is over: what told people of it goes, once they could read it. */
  over(conversation: ConversationId): void;
  /** Tells what the last process owed. */
  start(): void;
  /** Begins nothing more; settles when what is being told has ended. */
  close(): Promise<void>;
}
