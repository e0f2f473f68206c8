/** What the shell is to do after the commit. Each that awaits an answer carries the id its answer names. */

import type { EffectId, PersonId } from "./id.ts";
import type { Call, Category, Permission } from "./words.ts";

export type Effect =
  /** Ask the model. Volatile: forgotten by `woken` (D6). */
  | { readonly kind: "think"; readonly id: EffectId; readonly attempt: number }
  | { readonly kind: "abortThinking"; readonly target: EffectId }
  /** Run one tool use under the permission it was stamped with; perform takes the stricter of that and the current one (D12). */
  | {
      readonly kind: "run";
      readonly id: EffectId;
      readonly call: Call;
      readonly permission: Permission;
      readonly grants: readonly Category[];
      /** Of the input that a person allowed; another one is not run. */
      readonly fingerprint?: string;
    }
  | { readonly kind: "kill"; readonly target: EffectId }
  /**
   * Open a new thread in `mode`, seeded with the last thing a person said here. Durable: an outbox row, done once
   * whatever crashes (D6).
   */
  | { readonly kind: "branch"; readonly id: EffectId; readonly mode: string; readonly by: PersonId }
  /** End commands that outlived their call (D27). */
  | { readonly kind: "killBackground" };
