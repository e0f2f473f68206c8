/**
 * The transcript: what was said, in order, appended and never rewritten. Entries hold ids, names and the host's
 * own short sentences; people's, models' and tools' words are rows named by `message` (D8).
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
      readonly stop: StopReason;
      /** The model that wrote it; absent if the answer was given before. */
      readonly model?: string;
      /** Offered with the answer of the turn. */
      readonly earlier?: readonly EarlierAnswer[];
    }
  | {
      readonly kind: "result";
      readonly call: Call;
      readonly outcome: Outcome;
      /** The author of the result's text. */
      readonly origin: ResultOrigin;
    }
  /** A person asked for write access by command; `call` is the host's own, and no model knows it. */
  | {
      readonly kind: "asked";
      readonly call: Call;
      readonly message: MessageId;
      readonly ask: QuestionSpec;
    }
  /** A person let the held call go on; what it came to follows as its result. Also what became of `asked`. */
  | { readonly kind: "granted"; readonly call: Call; readonly ask: QuestionSpec; readonly decision: Decision }
  | { readonly kind: "note"; readonly note: Note }
  /** The conversation ends here and goes on in another one (BED-020). */
  | ({ readonly kind: "summary" } & Summary)
  | { readonly kind: "notice"; readonly notice: Notice };

/** What a tool use came to: the tool's own words, or a sentence of the host where nothing ran (BED-005, BED-015). */
export type Outcome =
  | {
      readonly kind: "ran";
      readonly message: MessageId;
      readonly isError: boolean;
      /** Exit status of a command that ran to its end: 128 and more where a signal ended it. */
      readonly exit?: number;
      /** How many files of the result's words are shown; absent means none. */
      readonly files?: number;
      /** The result's words hold a diff. */
      readonly changed?: true;
      /** The sub-agents that the call started, each with its end. */
      readonly agents?: readonly Agent[];
    }
  | {
      readonly kind: "host";
      readonly text: string;
      readonly isError: boolean;
      /** Set where a person's decision is the outcome. */
      readonly decision: Decision | null;
      /** What was decided; absent means the upgrade. */
      readonly ask?: QuestionSpec;
      readonly agents?: readonly Agent[];
      /** It ran when the host ended. */
      readonly cut?: true;
    }
  /** TUL-007 3.6: told to the model as JSON, with the reason that it gave in the call. */
  | {
      readonly kind: "mode";
      readonly success: boolean;
      /** The mode after the decision. */
      readonly mode: string;
      readonly branch: boolean;
      readonly decision: Decision | null;
      readonly ask: QuestionSpec;
    };

/** A tool's own words. */
export type RanOutcome = Outcome & { readonly kind: "ran" };
/** Nothing ran, or the host says what became of it. */
export type HostOutcome = Exclude<Outcome, RanOutcome>;

export interface Decision {
  readonly choice: Choice;
  readonly by: PersonId;
  readonly at: Millis;
  /** What that person added: words. */
  readonly comment: MessageId | null;
  /** Only the first so many commits of the draft. */
  readonly commits?: number;
}

/** How a conversation ended whose context is exhausted. */
export interface Summary {
  /** Words; null where there is none. */
  readonly message: MessageId | null;
  readonly ended: "summarized" | "failed" | "cancelled";
  /** Percent of the context window that was used. */
  readonly percent: number;
  /** Who asked for it; null where the window was full. */
  readonly by: PersonId | null;
  /** Names of the calls that were asked for and not run. */
  readonly rejected: readonly string[];
}

/** Told to the model as a user-role meta message after all results of the round (BED-017, C5, BED-003.3). */
export const NOTES = [
  "upgraded",
  "downgraded",
  "continue",
  "askAgain",
  /** The answer above was given before to somebody else: a person wants one of its own. */
  "askAnew",
  /** The last answer was not posted: a person decided so. */
  "discarded",
  /** To a sub-agent: it has reached a limit and has one response left. */
  "turnLimit",
  "timeLimit",
] as const;
export type Note =
  | (typeof NOTES)[number]
  /** The prompt of a work mode, as it read when it was entered: words. */
  | { readonly kind: "mode"; readonly mode: string; readonly message: MessageId }
  /** What people read in the place of the last answer: words of whoever edited it. */
  | { readonly kind: "edited"; readonly message: MessageId };

/** Told to people only; the model never sees it. */
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
      /** The one of several repositories that may be written. */
      readonly on?: string;
    }
  | { readonly kind: "mode"; readonly from: string; readonly to: string; readonly by: PersonId }
  | { readonly kind: "model"; readonly from: string; readonly to: string; readonly by: PersonId }
  | { readonly kind: "safeMode"; readonly on: boolean; readonly by: PersonId }
  | { readonly kind: "grants"; readonly categories: readonly Category[]; readonly by: PersonId }
  /** Write access was asked for, and nobody is asked: the host's reason, or why a request of `by` is none. */
  | {
      readonly kind: "notAsked";
      readonly why:
        | { readonly host: string }
        | { readonly request: Exclude<Request, "allowed">; readonly by: PersonId };
    }
  /** Too many requests were denied in a day: no more are put before people until then. */
  | { readonly kind: "paused"; readonly until: Millis; readonly over?: true }
  /** A new thread was opened, or could not be. */
  | {
      readonly kind: "branched";
      readonly to: ConversationId | null;
      readonly mode: string;
      /** The address of its thread on a chat platform. */
      readonly link?: string;
      /** Why it could not be made, as the platform says it. */
      readonly why?: string;
    }
  /** The thread that it was to go on in could not be opened. */
  | { readonly kind: "notContinued"; readonly why?: string }
  /** What became of a write to the forge that `by` approved. */
  | { readonly kind: "wrote"; readonly write: Write; readonly by: PersonId; readonly wrote: WriteOutcome }
  | { readonly kind: "setUp"; readonly setUp: Setup }
  | { readonly kind: "putBack"; readonly putBack: CheckoutRestored }
  /** More than four fifths of the working window are used (BED-023). */
  | { readonly kind: "context"; readonly used: number; readonly window: number }
  /** The answer was given before, in another conversation, so long ago. */
  | {
      readonly kind: "reused";
      readonly from: ConversationId;
      readonly age: Millis;
      /** The address of its post. */
      readonly link?: string;
    }
  /** Nobody has decided on the answer that is held. */
  | { readonly kind: "unseen"; readonly why: ReviewDelay; readonly days: number }
  | { readonly kind: "empty" }
  | { readonly kind: "refused" }
  /** The response ended for a tool call that it does not hold. */
  | { readonly kind: "noCall" }
  | { readonly kind: "cut" };
