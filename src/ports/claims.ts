import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type { AttachedFile, ImageRef } from "../thread/prompt.ts";
import type { Refusal } from "../machine/refusal.ts";
import type { Composed } from "../machine/message-parts.ts";
import type { QuotedContent, Speaker } from "../machine/vocabulary.ts";

export interface ClaimKey {
  readonly surface: string;
  /** The surface's id of the message, unique within the surface and its team. */
  readonly id: string;
}

export interface Message extends Composed {
  readonly images: readonly ImageRef[];
  readonly files?: readonly AttachedFile[];
  /** Parts of the text that other people wrote; absent if there are none. */
  readonly quoted?: QuotedContent;
}

/** An inbound message as stored before it is acknowledged (D20). */
export interface Claim extends ClaimKey, Message {
  readonly conversation: ConversationId;
  readonly at: Millis;
  readonly speaker: Speaker;
  /** Platform id of the message; absent if there is no message that could be deleted. */
  readonly source?: string;
  /** Model for the answer; absent for the thread's own. */
  readonly model?: string;
}

/** The newest words of a person's message that were passed to the bot. */
export interface NewestText {
  /** Null if the words were erased. */
  readonly text: string | null;
  readonly by: PersonId;
  readonly conversation: ConversationId;
  readonly source: string | null;
  /** Number of claims of the message: the first one, and one for each edit that was added or asked again. */
  readonly versions: number;
}

export type ClaimOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly why: Refusal };
