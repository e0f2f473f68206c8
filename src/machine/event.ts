/**
 * Everything that can happen to a conversation. `at` is the only clock; `by: EffectId` names the effect that an
 * event answers, so that a late one is recognised. Words arrive beside the event and are named by id (D8).
 */

import type { AgentEnd, Gathered } from "./agent.ts";
import type { ConversationId, EffectId, MessageId, Millis, PersonId, QuestionId } from "./id.ts";
import type {
  Call,
  CopyOutcome,
  Category,
  Choice,
  Confinement,
  Failure,
  ModelChoice,
  UnrestrictedOffer,
  CheckoutRestored,
  NetworkDestination,
  ResultOrigin,
  RepeatedAnswer,
  SeedChoice,
  Setup,
  Speaker,
  StopReason,
  StopCause,
  ReviewDelay,
  Usage,
  Utterance,
  Write,
  WriteOutcome,
  EarlierAnswer,
} from "./words.ts";

export type Event = { readonly at: Millis } & EventKind;

export type EventKind =
  /** First in every process: what was in flight is gone (D5, BED-007). */
  | {
      readonly kind: "woken";
      /** Random name of the process. */
      readonly boot: string;
      readonly confinement: Confinement;
      readonly offer?: UnrestrictedOffer;
      readonly window: number;
      /** Content that was read bounds what clicks allowed (L15). */
      readonly guarded: true;
      /** What became of the sub-agents that were at work. */
      readonly agents?: Gathered;
    }
  /** The process is about to end in good order: what is in flight ends now and says so. */
  | { readonly kind: "drained"; readonly agents?: Gathered }
  /** `model`: that answers this turn, where there is room for what was said. */
  | ({ readonly kind: "said"; readonly model?: ModelChoice } & Utterance)
  /** `retry` of a failed or interrupted turn, by `speaker`: the transcript as it is goes to the model again, in the name of its sayer. */
  | {
      readonly kind: "retried";
      readonly speaker: Speaker;
      /** By the model that the failed turn offered, for this turn. */
      readonly other?: true;
    }
  | {
      readonly kind: "answered";
      readonly by: EffectId;
      readonly message: MessageId;
      /** Bytes of text shown to people; 0 means the model wrote nothing. */
      readonly text: number;
      readonly calls: readonly Call[];
      readonly stop: StopReason;
      readonly usage: Usage;
      /** The model that was asked; absent if none was. */
      readonly model?: string;
      /** No model was asked: the question was answered before. */
      readonly reused?: RepeatedAnswer;
      /** Offered with the answer of the turn; absent if none was found by then. */
      readonly earlier?: readonly EarlierAnswer[];
    }
  | {
      readonly kind: "modelFailed";
      readonly by: EffectId;
      readonly failure: Failure;
      /** The model that was asked; absent if none was. */
      readonly model?: string;
      /** Another that could be asked, where the host has one. */
      readonly other?: ModelChoice;
      /** It is asked without a person's word. */
      readonly fallback?: true;
    }
  | {
      readonly kind: "ran";
      readonly by: EffectId;
      readonly message: MessageId;
      /** The author of the result's text. */
      readonly origin: ResultOrigin;
      readonly isError: boolean;
      /** Of a command that ran to its end: 128 and more where a signal ended it. */
      readonly exit?: number;
      /** The call left a command running (BASH-003). */
      readonly background: boolean;
      /** Destinations that the call asked for, `host:port` and whether it was let through. */
      readonly reached: readonly NetworkDestination[];
      /** Categories that safe mode would have asked for, had it been on. */
      readonly skipped?: readonly Category[];
      /** How many files the call shares with the thread; absent means none. */
      readonly files?: number;
      /** The result's words hold a diff of what the call changed. */
      readonly changed?: true;
      /** What became of a write that a person had approved. */
      readonly wrote?: WriteOutcome;
    }
  /** One of the sub-agents that `by` started has come to its end. */
  | { readonly kind: "agentReported"; readonly by: EffectId; readonly agent: number; readonly end: AgentEnd }
  /** To a sub-agent: its time is over, one response is left. */
  | { readonly kind: "hurried" }
  /** What a call left running asked for the network; told when it has ended, in whatever phase the conversation is. */
  | { readonly kind: "reached"; readonly reached: readonly NetworkDestination[] }
  /** The set-up of the repository has begun or ended, in whatever phase the conversation is. */
  | { readonly kind: "setUp"; readonly setUp: Setup }
  /** Its checkout had been parked and stands again, in whatever phase the conversation is. */
  | { readonly kind: "putBack"; readonly putBack: CheckoutRestored }
  /** Safe mode held the call before anything of it ran: what it needs and what people are shown. */
  | {
      readonly kind: "blocked";
      readonly by: EffectId;
      readonly categories: readonly Category[];
      readonly shown: MessageId;
      readonly fingerprint: string;
    }
  /**
   * The call would write to the forge or to an MCP server, or hands in a draft (`apply_draft`): what people are shown of it.
   * Nothing is written yet.
   */
  | {
      readonly kind: "proposed";
      readonly by: EffectId;
      readonly write: Write;
      readonly scope?: string;
      readonly shown: MessageId;
      readonly fingerprint: string;
      /** The draft may become a pull request. */
      readonly pull?: true;
      /** Of the draft, where they are several. */
      readonly commits?: number;
      /** Why nothing was written although a person approved the draft: it is asked about again. One sentence. */
      readonly voided?: string;
    }
  | {
      readonly kind: "decided";
      readonly question: QuestionId;
      readonly choice: Choice;
      readonly by: Speaker;
      readonly comment: MessageId | null;
      /** Only the first so many commits of the draft. */
      readonly commits?: number;
    }
  /** Nobody has decided on the answer that is held: told in the thread, once each. `days`: how long, where that is why. */
  | {
      readonly kind: "unseen";
      readonly question: QuestionId;
      readonly why: ReviewDelay;
      readonly days: number;
    }
  /** The work mode changes, by the one port for it. `prompt` and `reason`: words. */
  | {
      readonly kind: "modeSet";
      readonly mode: string;
      readonly by: PersonId;
      readonly organisation: string;
      readonly reason?: MessageId;
      readonly prompt: MessageId;
      /** That the mode wants, and the tokens that it takes. */
      readonly model?: ModelChoice;
    }
  | { readonly kind: "safeModeSet"; readonly on: boolean; readonly by: Speaker }
  /** Another model answers from the next request on. `window`: tokens that it takes. */
  | {
      readonly kind: "modelSet";
      readonly model: string;
      readonly window: number;
      readonly by: Speaker;
    }
  /** A person asks for write access, while nothing is done; `message`: words that hold no reason. */
  | {
      readonly kind: "upgradeAsked";
      readonly by: Speaker;
      readonly message: MessageId;
      /** The one of several repositories that is written. */
      readonly on?: string;
    }
  /** *Ask again*: the denials of the day hold back nothing more. */
  | { readonly kind: "askedAgain"; readonly by: Speaker }
  /** Categories granted for this thread outside of a question (3.1 of Phase 5). */
  | { readonly kind: "granted"; readonly categories: readonly Category[]; readonly by: Speaker }
  /** A person wants to go on in a new thread (BED-023): the summary is asked for. */
  | { readonly kind: "continued"; readonly by: Speaker }
  | {
      readonly kind: "summarized";
      readonly by: EffectId;
      /** Words of the summary. */
      readonly message: MessageId;
      /** Bytes of it; 0 means the model wrote none. */
      readonly text: number;
      readonly usage: Usage;
      readonly model: string;
    }
  /** A person chose how an exhausted conversation goes on (BED-021). */
  | { readonly kind: "moved"; readonly seed: SeedChoice; readonly by: Speaker }
  /** The new thread is there, or could not be made. */
  | {
      readonly kind: "branched";
      readonly by: EffectId;
      readonly conversation: ConversationId | null;
      /** The address of its thread on a chat platform. */
      readonly link?: string;
      /** Why it could not be made, as the platform says it. */
      readonly why?: string;
      /** Of a continuation. */
      readonly carried?: CopyOutcome;
    }
  | {
      readonly kind: "stopped";
      readonly by: PersonId;
      readonly then: Utterance | null;
      /** Absent where a person pressed Stop. */
      readonly why?: StopCause;
    }
  /** Words were taken back by whoever wrote them, or by a moderator: their rows stand, empty (D8). */
  | { readonly kind: "erased"; readonly by: PersonId; readonly messages: readonly MessageId[] }
  | { readonly kind: "restricted"; readonly by: PersonId }
  | { readonly kind: "due"; readonly for: EffectId };
