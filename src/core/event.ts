/**
 * Everything that can happen to a conversation. `at` is the only clock; `by: EffectId` names the effect that an
 * event answers, so that a late one is recognised. Words arrive beside the event and are named by id (D8).
 */

import type { EffectId, MessageId, Millis, PersonId, QuestionId } from "./id.ts";
import type { Call, Confinement, Failure, Reached, Speaker, Stop, Usage, Utterance } from "./words.ts";

export type Event = { readonly at: Millis } & EventKind;

export type EventKind =
  /** First in every process: what was in flight is gone (D5, BED-007). */
  | {
      readonly kind: "woken";
      /** Random name of the process. */
      readonly boot: string;
      readonly confinement: Confinement;
      readonly window: number;
    }
  /** The process is about to end in good order: what is in flight ends now and says so. */
  | { readonly kind: "drained" }
  | ({ readonly kind: "said" } & Utterance)
  /** `retry` of a failed or interrupted turn: the transcript as it is goes to the model again. */
  | { readonly kind: "retried"; readonly speaker: Speaker }
  | {
      readonly kind: "answered";
      readonly by: EffectId;
      readonly message: MessageId;
      /** Bytes of text shown to people; 0 means the model wrote nothing. */
      readonly text: number;
      readonly calls: readonly Call[];
      readonly stop: Stop;
      readonly usage: Usage;
    }
  | { readonly kind: "modelFailed"; readonly by: EffectId; readonly failure: Failure }
  | {
      readonly kind: "ran";
      readonly by: EffectId;
      readonly message: MessageId;
      readonly isError: boolean;
      /** The call left a command running (BASH-003). */
      readonly background: boolean;
      /** Destinations that the call asked for, `host:port` and whether it was let through. */
      readonly reached: readonly Reached[];
    }
  | {
      readonly kind: "decided";
      readonly question: QuestionId;
      readonly choice: "approve" | "deny";
      readonly by: Speaker;
      readonly comment: MessageId | null;
    }
  | { readonly kind: "stopped"; readonly by: PersonId; readonly then: Utterance | null }
  | { readonly kind: "restricted"; readonly by: PersonId }
  | { readonly kind: "due"; readonly for: EffectId };
