/** What the shell is to do after the commit. Each that awaits an answer carries the id its answer names. */

import type { ConversationId, EffectId, PersonId } from "./id.ts";
import type { Seed } from "./state.ts";
import type { WriteApproval, Call, Category, ModeApproval, Permission } from "./words.ts";

export type Effect =
  /** Ask the model. Volatile: forgotten by `woken` (D6). */
  | { readonly kind: "think"; readonly id: EffectId; readonly attempt: number }
  /** Ask for a summary, without tools (BED-020). Volatile. */
  | { readonly kind: "summarize"; readonly id: EffectId; readonly rejected: readonly Call[] }
  | { readonly kind: "abortThinking"; readonly target: EffectId }
  /** Run one tool use under the permission it was stamped with; perform takes the stricter of that and the current one (D12). */
  | {
      readonly kind: "run";
      readonly id: EffectId;
      readonly call: Call;
      readonly permission: Permission;
      readonly grants: readonly Category[];
      /** Words of others were read that no click showed: the network is asked for. */
      readonly sealed?: true;
      /** Of the input that a person allowed; another one is not run. */
      readonly fingerprint?: string;
      /** What a person allowed the host to do itself: durable, asked for again by `woken` until it is answered (D6). */
      readonly approved?: WriteApproval;
      /** An earlier process may have done it. */
      readonly again?: true;
      /** A change of the work mode that a person confirmed: durable in the same way. */
      readonly confirmed?: ModeApproval;
    }
  | { readonly kind: "kill"; readonly target: EffectId }
  /**
   * Start sub-agents on the tasks of the call: each reports, and then one result answers the effect. Never done again:
   * what became of them is read back by `woken` (D14).
   */
  | {
      readonly kind: "spawn";
      readonly id: EffectId;
      readonly call: Call;
      readonly agents: readonly { readonly id: ConversationId; readonly model: string }[];
    }
  /** Tell those at work that their time is over; then end them. */
  | { readonly kind: "hurryAgents"; readonly target: EffectId }
  | { readonly kind: "endAgents"; readonly target: EffectId }
  /**
   * Open a new thread in `mode`, seeded with the last thing a person said here, or as `seed` says. Durable: an outbox
   * row, done once whatever crashes (D6).
   */
  | {
      readonly kind: "branch";
      readonly id: EffectId;
      readonly mode: string;
      readonly by: PersonId;
      readonly seed?: Seed;
    }
  /** End commands that outlived their call (D27). */
  | { readonly kind: "killBackground" };
