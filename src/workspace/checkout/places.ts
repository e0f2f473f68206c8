/** Where a conversation's commands run: what the tools ask the workspace for before every launch. */

import type { Policy } from "../../../sandbox/types.ts";
import type { ConversationId } from "../../machine/id.ts";
import type { Permission } from "../../machine/words.ts";

export interface Places {
  /**
   * The policy that holds `permission` for one command of the conversation; a sub-agent's is its parent's. The first `unrestricted` request makes
   * the private checkout; `home` and `extraEnv` belong in the command's environment. Never rejects.
   */
  policy(
    conversation: ConversationId,
    permission: Permission,
  ): Promise<
    | {
        readonly kind: "policy";
        readonly policy: Policy;
        readonly home: string;
        /** A directory of the host's for the output of the conversation's background commands; it may not exist. */
        readonly outputs: string;
        readonly extraEnv: Readonly<Record<string, string>>;
        /** What is said beside the output of a command that fails; absent where there is nothing to say. */
        readonly hint?: string;
      }
    | { readonly kind: "failed"; readonly message: string }
  >;
}
