/** Checks a push of a conversation at the moment of the push. */

import type { ConversationId, PersonId } from "../../../machine/id.ts";
import type { MergedPull } from "../../../ports/draft-pulls.ts";
import type { ForgeWriter } from "./forge-writer.ts";

export interface PushGuard {
  /** `void`: nothing may be pushed, with the reason in one sentence. */
  admit(conversation: ConversationId, push: GuardedPush): Promise<PushAdmission>;
  /** Called after the forge has accepted the push; perhaps again for the same push. */
  landed(conversation: ConversationId, push: PushEnds): Promise<void>;
}

export interface PushEnds {
  readonly branch: string;
  /** Commit that the branch must have. */
  readonly from: string;
  readonly to: string;
}

export interface GuardedPush extends PushEnds {
  /** Hash over everything that was shown to people. */
  readonly fingerprint: string;
  /** Who decided. */
  readonly by: PersonId;
  readonly desk: Pick<ForgeWriter, "pullOf" | "lastPullOf">;
  readonly signal: AbortSignal;
}

export type PushAdmission =
  /** `pull`: the pull request that gets the commit; none may be opened. Absent if people decided. */
  | { readonly kind: "admitted"; readonly pull?: MergedPull }
  | { readonly kind: "void"; readonly why: string }
  /** The rows could not be written. */
  | { readonly kind: "failed"; readonly why: string };
