/**
 * Everything that can happen to a conversation. `at` is the only clock; `by: EffectId` names the effect that an
 * event answers, so that a late one is recognised. Words arrive beside the event and are named by id (D8).
 */

import type { ConversationId, EffectId, MessageId, Millis, PersonId, QuestionId } from "./id.ts";
import type {
  Call,
  Category,
  Choice,
  Confinement,
  Failure,
  Reached,
  Speaker,
  Stop,
  Usage,
  Utterance,
} from "./words.ts";

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
      /** Categories that safe mode would have asked for, had it been on. */
      readonly skipped?: readonly Category[];
    }
  /** Safe mode held the call before anything of it ran: what it needs and what people are shown. */
  | {
      readonly kind: "blocked";
      readonly by: EffectId;
      readonly categories: readonly Category[];
      readonly shown: MessageId;
      readonly fingerprint: string;
    }
  | {
      readonly kind: "decided";
      readonly question: QuestionId;
      readonly choice: Choice;
      readonly by: Speaker;
      readonly comment: MessageId | null;
      /** Words: the prompt of the mode that is entered. */
      readonly prompt?: MessageId;
    }
  /** A click came on a question that has grown old: it is put again, with what has changed since. */
  | { readonly kind: "reasked"; readonly question: QuestionId; readonly by: PersonId }
  /** A person changes the work mode. `prompt`: words. */
  | {
      readonly kind: "modeSet";
      readonly mode: string;
      readonly by: PersonId;
      readonly prompt: MessageId;
    }
  | { readonly kind: "safeModeSet"; readonly on: boolean; readonly by: Speaker }
  /** Categories granted for this thread outside of a question (3.1 of Phase 5). */
  | { readonly kind: "granted"; readonly categories: readonly Category[]; readonly by: Speaker }
  /** The new thread is there, or could not be made. */
  | { readonly kind: "branched"; readonly by: EffectId; readonly conversation: ConversationId | null }
  | { readonly kind: "stopped"; readonly by: PersonId; readonly then: Utterance | null }
  | { readonly kind: "restricted"; readonly by: PersonId }
  | { readonly kind: "due"; readonly for: EffectId };
