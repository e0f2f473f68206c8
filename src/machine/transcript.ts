/**
 * The transcript: the ordered record of the conversation, appended and never rewritten. Entries contain ids, names and the
 * host's own short sentences. Texts of people, models and tools are rows named by `message` (D8).
 */

import type { Agent } from "./agent.ts";
import type { ConversationId, MessageId, Millis, PersonId } from "./id.ts";
import type {
  QuestionSpec,
  Call,
  Category,
  Choice,
  Failure,
  CheckoutRestored,
  Request,
  Setup,
  StopReason,
  StopCause,
  ReviewDelay,
  ResultOrigin,
  Utterance,
  Write,
  WriteOutcome,
  EarlierAnswer,
} from "./words.ts";

export type Entry = EntryBase & EntryKind;

interface EntryBase {
  readonly turn: number;
  /** The step that appended the entry. */
  readonly seq: number;
  readonly at: Millis;
}

export type EntryKind =
  | ({ readonly kind: "said" } & Utterance)
  | {
      readonly kind: "answer";
      readonly message: MessageId;
      /** Bytes of text that people see; 0 for a response with tool uses only. */
      readonly text: number;
      readonly calls: readonly Call[];
      readonly stop: StopReason;
      /** The model that wrote the answer; absent if the answer was reused. */
      readonly model?: string;
      /** Links offered with the turn's answer. */
      readonly earlier?: readonly EarlierAnswer[];
    }
  | {
      readonly kind: "result";
      readonly call: Call;
      readonly outcome: Outcome;
      readonly origin: ResultOrigin;
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
  /** The conversation ends here and continues in another one (BED-020). */
  | ({ readonly kind: "summary" } & Summary)
  | { readonly kind: "notice"; readonly notice: Notice };

/** Outcome of a tool use: the tool's own text, or a sentence of the host if nothing ran (BED-005, BED-015). */
export type Outcome =
  | {
      readonly kind: "ran";
      readonly message: MessageId;
      readonly isError: boolean;
      /** Exit status of a command that ran to its end; 128 and above means that a signal ended it. */
      readonly exit?: number;
      /** Number of files shared with the thread; absent if none. */
      readonly files?: number;
      /** Set if the result's text contains a diff. */
      readonly changed?: true;
      /** The sub-agents that the call started, each with its end. */
      readonly agents?: readonly Agent[];
    }
  | {
      readonly kind: "host";
      readonly text: string;
      readonly isError: boolean;
      /** Set if a person's decision is the outcome. */
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
      /** The mode after the decision. */
      readonly mode: string;
      readonly branch: boolean;
      readonly decision: Decision | null;
      readonly ask: QuestionSpec;
    };

/** Outcome with the tool's own text. */
export type RanOutcome = Outcome & { readonly kind: "ran" };
/** Outcome that the host reports, usually because nothing ran. */
export type HostOutcome = Exclude<Outcome, RanOutcome>;

export interface Decision {
  readonly choice: Choice;
  readonly by: PersonId;
  readonly at: Millis;
  /** Stored text that the person added. */
  readonly comment: MessageId | null;
  /** How many commits of the draft to apply, counted from the first; absent for all. */
  readonly commits?: number;
}

/** End of a conversation whose context is exhausted. */
export interface Summary {
  /** Stored text of the summary; null if there is none. */
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
  /** The answer above was reused from another person's question, and a person wants a new answer. */
  "askAnew",
  /** The last answer was not posted, by a person's decision. */
  "discarded",
  /** To a sub-agent: a limit is reached and one response is left. */
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
  | {
      readonly kind: "failed";
      readonly failure: Failure;
      readonly attempts: number;
      /** Another model that could be asked. */
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
  /**
   * Write permission was requested, but no approver is asked: because of the host, or because the request of `by` is not
   * accepted.
   */
  | {
      readonly kind: "notAsked";
      readonly why:
        | { readonly host: string }
        | { readonly request: Exclude<Request, "allowed">; readonly by: PersonId };
    }
  /** Too many requests were denied in a day, so no question is asked until that time. */
  | { readonly kind: "paused"; readonly until: Millis; readonly over?: true }
  /** A new thread was opened, or could not be. */
  | {
      readonly kind: "branched";
      readonly to: ConversationId | null;
      readonly mode: string;
      /** Address of the new thread on a chat platform. */
      readonly link?: string;
      /** The platform's reason if the thread could not be created. */
      readonly why?: string;
    }
  /** The thread for the continuation could not be opened. */
  | { readonly kind: "notContinued"; readonly why?: string }
  /** Outcome of a write to the forge that `by` approved. */
  | { readonly kind: "wrote"; readonly write: Write; readonly by: PersonId; readonly wrote: WriteOutcome }
  | { readonly kind: "setUp"; readonly setUp: Setup }
  | { readonly kind: "putBack"; readonly putBack: CheckoutRestored }
  /** More than four fifths of the working window are used (BED-023). */
  | { readonly kind: "context"; readonly used: number; readonly window: number }
  /** The answer was reused from another conversation. `age`: time since that answer. */
  | {
      readonly kind: "reused";
      readonly from: ConversationId;
      readonly age: Millis;
      /** Address of the earlier answer's post. */
      readonly link?: string;
    }
  /** The answer in review still waits for a decision. */
  | { readonly kind: "unseen"; readonly why: ReviewDelay; readonly days: number }
  | { readonly kind: "empty" }
  | { readonly kind: "refused" }
  /** The response ended for a tool call that it does not contain. */
  | { readonly kind: "noCall" }
  | { readonly kind: "cut" };
