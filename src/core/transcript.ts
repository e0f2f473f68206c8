/**
 * The transcript: what was said, in order, appended and never rewritten. Entries hold ids, names and the host's
 * own short sentences; people's, models' and tools' words are rows named by `message` (D8).
 */

import type { ConversationId, MessageId, Millis, PersonId } from "./id.ts";
import type { Ask, Call, Category, Choice, Failure, Stop, Utterance } from "./words.ts";

export type Entry = EntryBase & EntryKind;

export interface EntryBase {
  readonly turn: number;
  /** The step that appended it. */
  readonly seq: number;
  readonly at: Millis;
}

export type EntryKind =
  | ({ readonly kind: "said" } & Utterance)
  | {
      readonly kind: "answer";
      readonly message: MessageId;
      /** Bytes of text that people see; 0 for a response of tool uses alone. */
      readonly text: number;
      readonly calls: readonly Call[];
      readonly stop: Stop;
    }
  | { readonly kind: "result"; readonly call: Call; readonly outcome: Outcome }
  /** A person let the held call go on; what it came to follows as its result. */
  | { readonly kind: "granted"; readonly call: Call; readonly ask: Ask; readonly decision: Decision }
  | { readonly kind: "note"; readonly note: Note }
  | { readonly kind: "notice"; readonly notice: Notice };

/** What a tool use came to: the tool's own words, or a sentence of the host where nothing ran (BED-005, BED-015). */
export type Outcome =
  | { readonly kind: "ran"; readonly message: MessageId; readonly isError: boolean }
  | {
      readonly kind: "host";
      readonly text: string;
      readonly isError: boolean;
      /** Set where a person's decision is the outcome. */
      readonly decision: Decision | null;
      /** What was decided; absent means the upgrade. */
      readonly ask?: Ask;
    }
  /** TUL-007 3.6: told to the model as JSON, with the reason that it gave in the call. */
  | {
      readonly kind: "mode";
      readonly success: boolean;
      /** The mode after the decision. */
      readonly mode: string;
      readonly branch: boolean;
      readonly decision: Decision | null;
      readonly ask: Ask;
    };

export interface Decision {
  readonly choice: Choice;
  readonly by: PersonId;
  readonly at: Millis;
  /** What that person added: words. */
  readonly comment: MessageId | null;
}

/** Told to the model as a user-role meta message after all results of the round (BED-017, C5, BED-003.3). */
export type Note =
  | "upgraded"
  | "downgraded"
  | "continue"
  /** The prompt of a work mode, as it read when it was entered: words. */
  | { readonly kind: "mode"; readonly mode: string; readonly message: MessageId };

/** Told to people only; the model never sees it. */
export type Notice =
  | { readonly kind: "stopped"; readonly by: PersonId; readonly skipped: number }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly failure: Failure; readonly attempts: number }
  | { readonly kind: "permission"; readonly to: "restricted" | "unrestricted"; readonly by: PersonId }
  | { readonly kind: "mode"; readonly from: string; readonly to: string; readonly by: PersonId }
  | { readonly kind: "safeMode"; readonly on: boolean; readonly by: PersonId }
  | { readonly kind: "grants"; readonly categories: readonly Category[]; readonly by: PersonId }
  /** Too many requests were denied in a day: no more are put before people until then. */
  | { readonly kind: "paused"; readonly until: Millis }
  /** A new thread was opened, or could not be. */
  | { readonly kind: "branched"; readonly to: ConversationId | null; readonly mode: string }
  | { readonly kind: "empty" }
  | { readonly kind: "refused" }
  | { readonly kind: "cut" };
