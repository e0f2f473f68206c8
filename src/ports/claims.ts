/** The inbox of conversations: what reached the host, before it is acknowledged (D20). */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { ImageRef } from "../thread/prompt.ts";
import type { Refusal } from "../machine/refusal.ts";
import type { Composed } from "../machine/own-words.ts";
import type { QuotedContent, Speaker } from "../machine/words.ts";

export interface ClaimKey {
  readonly surface: string;
  /** The surface's id of the message, unique within the surface (and its team). */
  readonly id: string;
}

/** What a person sends, with what stands around it. */
export interface Message extends Composed {
  readonly images: readonly ImageRef[];
  /** What of it is others'; absent where nothing is. */
  readonly quoted?: QuotedContent;
}

/** An inbound message as stored before it is acknowledged (D20). */
export interface Claim extends ClaimKey, Message {
  readonly conversation: ConversationId;
  readonly at: Millis;
  readonly speaker: Speaker;
  /** The platform's id of the message; absent where there is none that could be deleted. */
  readonly source?: string;
  /** That answers it; absent: the thread's own. */
  readonly model?: string;
}

export type ClaimOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly why: Refusal };
