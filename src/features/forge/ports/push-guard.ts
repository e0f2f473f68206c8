/** Checks a push of a conversation at the moment of the push. */

import type { ConversationId } from "../../../machine/id.ts";

export interface PushGuard {
  /** `void`: nothing may be pushed, with the reason in one sentence. */
  admit(conversation: ConversationId, push: GuardedPush): Promise<PushAdmission>;
  /** Called after the forge has accepted the push; perhaps again for the same push. */
  landed(conversation: ConversationId, push: GuardedPush): Promise<void>;
}

export interface GuardedPush {
  readonly branch: string;
  /** Commit that the branch must have. */
  readonly from: string;
  readonly to: string;
  /** Hash over everything that was shown to people. */
  readonly fingerprint: string;
}

export type PushAdmission =
  | { readonly kind: "admitted" }
  | { readonly kind: "void"; readonly why: string }
  /** The rows could not be written. */
  | { readonly kind: "failed"; readonly why: string };
