/** The ordered record of a conversation, appended and never rewritten. Texts are rows that `message` names (D8). */

import type { Agent } from "./agent.ts";
import type { ConversationId, MessageId, Millis, PersonId } from "./id.ts";
import type {
  QuestionSpec,
  Call,
  Category,
  Choice,
  Failure,
  CheckoutRestored,
  LaterMessage,
  Request,
  Setup,
  StopReason,
  StopCause,
  ReviewDelay,
  ResultOrigin,
  SpeakerOrigin,
  Utterance,
  Write,
  WriteOutcome,
  EarlierAnswer,
} from "./vocabulary.ts";

export type Entry = EntryBase & EntryKind;

interface EntryBase {
  readonly turn: number;
  readonly seq: number;
  readonly at: Millis;
}

export type EntryKind =
  /** `added`: sent during the turn and read by a later request of the same turn (D51). */
  | ({ readonly kind: "said"; readonly added?: true } & Utterance & Pick<LaterMessage, "edited">)
  | {
      readonly kind: "answer";
      readonly message: MessageId;
      /** Bytes of text that people see; 0 for a response with tool uses only. */
      readonly text: number;
      readonly calls: readonly Call[];
      readonly stop: StopReason;
      /** Absent if the answer was reused. */
      readonly model?: string;
      readonly earlier?: readonly EarlierAnswer[];
      readonly notes?: readonly string[];
    }
  | {
      readonly kind: "result";
      readonly call: Call;
      readonly outcome: Outcome;
      /** A speaker if the result is a person's written answer (D53). */
      readonly origin: ResultOrigin | SpeakerOrigin;
    }
  /** A person asked for write permission by command. `call` is the host's own and invisible to models. */
  | {
      readonly kind: "asked";
      readonly call: Call;
      readonly message: MessageId;
      readonly ask: QuestionSpec;
    }
  /** A person allowed the blocked call; its result follows. Also the decision on `asked`. */
  | { readonly kind: "granted"; readonly call: Call; readonly ask: QuestionSpec; readonly decision: Decision }
  | { readonly kind: "note"; readonly note: Note }
  | ({ readonly kind: "summary" } & Summary)
  | { readonly kind: "notice"; readonly notice: Notice };

/** Outcome of a tool use: the tool's own text, or a sentence of the host if nothing ran (BED-005, BED-015). */
export type Outcome =
  | {
      readonly kind: "ran";
      readonly message: MessageId;
      readonly isError: boolean;
      readonly exit?: number;
      readonly files?: number;
      readonly changed?: true;
      readonly note?: true;
      readonly agents?: readonly Agent[];
    }
  | {
      readonly kind: "host";
      readonly text: string;
      readonly isError: boolean;
      /** Null unless a person's decision is the outcome. */
      readonly decision: Decision | null;
      /** Subject of the decision; an upgrade if absent. */
      readonly ask?: QuestionSpec;
      readonly agents?: readonly Agent[];
      /** Set if the call was running when the host ended. */
      readonly cut?: true;
    }
  /** TUL-007 3.6: Sent to the model as JSON, with the reason that the model gave in the call. */
  | {
      readonly kind: "mode";
      readonly success: boolean;
      readonly mode: string;
      readonly branch: boolean;
      readonly decision: Decision | null;
      readonly ask: QuestionSpec;
    };

export type RanOutcome = Outcome & { readonly kind: "ran" };
export type HostOutcome = Exclude<Outcome, RanOutcome>;

export interface Decision {
  readonly choice: Choice;
  readonly by: PersonId;
  readonly at: Millis;
  readonly comment: MessageId | null;
  readonly commits?: number;
  /** Number of the chosen answer to a question of the model, counted from 1. */
  readonly option?: number;
}

export interface Summary {
  readonly message: MessageId | null;
  readonly ended: "summarized" | "failed" | "cancelled";
  /** Used share of the context window, in percent. */
  readonly percent: number;
  /** Person who requested the summary; null if the window was full. */
  readonly by: PersonId | null;
  /** Names of the requested calls that did not run. */
  readonly rejected: readonly string[];
}

/** Notes for the model, sent as a user-role meta message after all results of the round (BED-017, C5, BED-003.3). */
export const NOTES = [
  "upgraded",
  "downgraded",
  "continue",
  "askAgain",
  "askAnew",
  "discarded",
  "turnLimit",
  "timeLimit",
] as const;
export type Note =
  | (typeof NOTES)[number]
  /** Stored prompt of a work mode, as it was when the mode was entered. */
  | { readonly kind: "mode"; readonly mode: string; readonly message: MessageId }
  /** Stored text that replaced the last answer for readers, written by the person who edited it. */
  | { readonly kind: "edited"; readonly message: MessageId };

/** Messages for people only. The model never sees a notice. */
export type Notice =
  | {
      readonly kind: "stopped";
      readonly by: PersonId;
      readonly skipped: number;
      readonly why?: StopCause;
    }
  | { readonly kind: "interrupted" }
  /** The turn ended before a request contained the messages that these people added. */
  | { readonly kind: "unread"; readonly by: readonly PersonId[] }
  | {
      readonly kind: "failed";
      readonly failure: Failure;
      readonly attempts: number;
      readonly other?: string;
    }
  /** The model failed, and the host's fallback answers for the rest of the turn. */
  | { readonly kind: "fellBack"; readonly from: string; readonly to: string; readonly failure: Failure }
  | {
      readonly kind: "permission";
      readonly to: "restricted" | "unrestricted";
      readonly by: PersonId;
      /** The repository that may be written, if the conversation has several. */
      readonly on?: string;
    }
  | { readonly kind: "mode"; readonly from: string; readonly to: string; readonly by: PersonId }
  | { readonly kind: "model"; readonly from: string; readonly to: string; readonly by: PersonId }
  | { readonly kind: "safeMode"; readonly on: boolean; readonly by: PersonId }
  | { readonly kind: "grants"; readonly categories: readonly Category[]; readonly by: PersonId }
  /** No approver was asked for write permission, because of the host or because the request of `by` was not accepted. */
  | {
      readonly kind: "notAsked";
      readonly why:
        | { readonly host: string }
        | { readonly request: Exclude<Request, "allowed">; readonly by: PersonId };
    }
  /** Too many requests were denied in a day, so no question is asked until `until`. */
  | { readonly kind: "paused"; readonly until: Millis; readonly over?: true }
  /** `to` is null if the thread could not be opened. */
  | {
      readonly kind: "branched";
      readonly to: ConversationId | null;
      readonly mode: string;
      readonly link?: string;
      readonly why?: string;
    }
  | { readonly kind: "notContinued"; readonly why?: string }
  | { readonly kind: "wrote"; readonly write: Write; readonly by: PersonId; readonly wrote: WriteOutcome }
  | { readonly kind: "setUp"; readonly setUp: Setup }
  | { readonly kind: "putBack"; readonly putBack: CheckoutRestored }
  /** More than four fifths of the working window are used (BED-023). */
  | { readonly kind: "context"; readonly used: number; readonly window: number }
  /** `age`: time since the reused answer. */
  | {
      readonly kind: "reused";
      readonly from: ConversationId;
      readonly age: Millis;
      readonly link?: string;
    }
  | { readonly kind: "unseen"; readonly why: ReviewDelay; readonly days: number }
  | { readonly kind: "empty" }
  | { readonly kind: "refused" }
  /** The response ended for a tool call that it does not contain. */
  | { readonly kind: "noCall" }
  | { readonly kind: "cut" };
