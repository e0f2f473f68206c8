/** Work for the shell after the commit. An effect that awaits an answer has an id, and its answer names that id. */

import type { ConversationId, EffectId, MessageId, PersonId } from "./id.ts";
import type { Seed } from "./state.ts";
import type { WriteApproval, Call, Category, ModeApproval, Permission } from "./vocabulary.ts";

export type Effect =
  /** Asks the model. Volatile: dropped by `woken` (D6). */
  | { readonly kind: "think"; readonly id: EffectId; readonly attempt: number }
  /** Asks for a summary, without tools (BED-020). Volatile. */
  | { readonly kind: "summarize"; readonly id: EffectId; readonly rejected: readonly Call[] }
  | { readonly kind: "abortThinking"; readonly target: EffectId }
  /** Runs one tool use under its recorded permission, or under the current one if that is stricter (D12). */
  | {
      readonly kind: "run";
      readonly id: EffectId;
      readonly call: Call;
      readonly permission: Permission;
      readonly grants: readonly Category[];
      /**
       * Set if the conversation has read untrusted content and no card has named this content. Network access then needs a
       * decision.
       */
      readonly sealed?: true;
      /** Hash of the approved input. A different input is not run. */
      readonly fingerprint?: string;
      /** Approved write of the host. Durable: `woken` requests it again until it is answered (D6). */
      readonly approved?: WriteApproval;
      /** Set if an earlier process may have performed the write. */
      readonly again?: true;
      /** Change of the work mode that a person confirmed; durable like `approved`. */
      readonly confirmed?: ModeApproval;
    }
  | { readonly kind: "kill"; readonly target: EffectId }
  /** Each agent reports, and then one result answers the effect. Never repeated: `woken` reads back the outcome (D14). */
  | {
      readonly kind: "spawn";
      readonly id: EffectId;
      readonly call: Call;
      readonly agents: readonly { readonly id: ConversationId; readonly model: string }[];
    }
  /** Notifies the working agents that their time limit is reached; `endAgents` ends them. */
  | { readonly kind: "hurryAgents"; readonly target: EffectId }
  | { readonly kind: "endAgents"; readonly target: EffectId }
  /** Starts from `seed`, or from the last message of a person. Durable: performed once despite crashes (D6). */
  | {
      readonly kind: "branch";
      readonly id: EffectId;
      readonly mode: string;
      readonly by: PersonId;
      readonly seed?: Seed;
    }
  /** Reads the rights of the oldest waiting message's author again, and starts or refuses the message. Requested by `woken` again. */
  | { readonly kind: "startWaiting"; readonly message: MessageId }
  /** Ends commands that outlived their call (D27). */
  | { readonly kind: "killBackground" };
