import type { ConversationId } from "../machine/id.ts";
import type { Refusal } from "../machine/refusal.ts";
import type { Speaker } from "../machine/vocabulary.ts";

/** Result of reading the author of a waiting message again (D2). `unread`: the platform does not answer now. */
export type AuthorNow =
  | { readonly kind: "speaker"; readonly speaker: Speaker }
  | { readonly kind: "refused"; readonly why: Refusal }
  | { readonly kind: "unread" };

export interface Authors {
  /** Null if the author is not a person of a chat platform. Must not reject. */
  author(id: ConversationId, speaker: Speaker): Promise<AuthorNow | null>;
}
