import type { ConversationId, Millis } from "../machine/id.ts";
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

export type ClaimOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly why: Refusal };
