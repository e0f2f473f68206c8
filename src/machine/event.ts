/** `at` is the only clock. `by: EffectId` names the answered effect, to recognize late events. Texts are stored elsewhere (D8). */

import type { AgentEnd, Gathered } from "./agent.ts";
import type { ConversationId, EffectId, MessageId, Millis, PersonId, QuestionId } from "./id.ts";
import type { Refusal } from "./refusal.ts";
import type {
  Call,
  CopyOutcome,
  Category,
  Choice,
  Confinement,
  Failure,
  LaterMessage,
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
  ReviewOffer,
  Usage,
  Utterance,
  Write,
  WriteOutcome,
  EarlierAnswer,
} from "./vocabulary.ts";

export type Event = { readonly at: Millis } & EventKind;

export type EventKind =
  /** First event in every process: work in flight is lost (D5, BED-007). */
  | {
      readonly kind: "woken";
      /** Random name of the process. */
      readonly boot: string;
      readonly confinement: Confinement;
      readonly offer?: UnrestrictedOffer;
      readonly window: number;
      /** Marks that content read later limits earlier approvals (L15). */
      readonly guarded: true;
      readonly agents?: Gathered;
    }
  /** Orderly end of the process. Work in flight ends now, and the thread shows that. */
  | { readonly kind: "drained"; readonly agents?: Gathered }
  /**
   * Also a person's written answer to the question of the model. `model`: the model for this turn, if its window has room for the
   * conversation.
   */
  | ({ readonly kind: "said"; readonly model?: ModelChoice } & Utterance)
  /** *Add to this turn*: the next request contains the message (D51). */
  | ({ readonly kind: "added" } & Omit<LaterMessage, "at">)
  /** A request that is not sent yet is prepared again, with the messages that were added since. */
  | { readonly kind: "renewed"; readonly by: EffectId }
  /** *Send when done*: the message starts a turn by itself once no turn runs. */
  | ({ readonly kind: "queued" } & Utterance)
  /** The message no longer waits, and no request will contain it. */
  | { readonly kind: "unqueued"; readonly message: MessageId; readonly by: Speaker }
  /** Answers `startWaiting`. `speaker`: the author, with rights that were read again (D2). */
  | ({
      readonly kind: "waitingStarted";
      readonly message: MessageId;
      readonly speaker: Speaker;
    } & Pick<Utterance, "reviewed">)
  | { readonly kind: "waitingRefused"; readonly message: MessageId; readonly why: Refusal }
  /** `speaker` retries a failed or interrupted turn on behalf of the message's author. The transcript stays unchanged. */
  | {
      readonly kind: "retried";
      readonly speaker: Speaker;
      /** Set if the model that the failed turn offered answers this turn. */
      readonly other?: true;
    }
  | {
      readonly kind: "answered";
      readonly by: EffectId;
      readonly message: MessageId;
      /** Bytes of text shown to people. */
      readonly text: number;
      readonly calls: readonly Call[];
      readonly stop: StopReason;
      readonly usage: Usage;
      /** Absent if no model was asked. */
      readonly model?: string;
      readonly reused?: RepeatedAnswer;
      /** Links offered with the turn's answer; absent if none was found in time. */
      readonly earlier?: readonly EarlierAnswer[];
      /** Ids of the channel's notes in the request; absent if it had none. */
      readonly notes?: readonly string[];
    }
  | {
      readonly kind: "modelFailed";
      readonly by: EffectId;
      readonly failure: Failure;
      readonly model?: string;
      readonly other?: ModelChoice;
      /** Set if the other model is asked without a person's decision. */
      readonly fallback?: true;
    }
  | {
      readonly kind: "ran";
      readonly by: EffectId;
      readonly message: MessageId;
      readonly origin: ResultOrigin;
      readonly isError: boolean;
      /** Exit status of a command that ran to its end; 128 and above means that a signal ended it. */
      readonly exit?: number;
      /** Whether the call left a command running (BASH-003). */
      readonly background: boolean;
      readonly reached: readonly NetworkDestination[];
      /** Categories that safe mode would have asked about if it had been on. */
      readonly skipped?: readonly Category[];
      /** Number of files that the call shares with the thread. */
      readonly files?: number;
      /** Set if the stored text of the result contains a diff of the call's changes. */
      readonly changed?: true;
      /** Set if the stored text of the result contains a note that people may remember. */
      readonly note?: true;
      readonly wrote?: WriteOutcome;
    }
  | { readonly kind: "agentReported"; readonly by: EffectId; readonly agent: number; readonly end: AgentEnd }
  /** A sub-agent reached its time limit and has one response left. */
  | { readonly kind: "hurried" }
  /** Network access of a background command, reported at the command's end in any phase. */
  | { readonly kind: "reached"; readonly reached: readonly NetworkDestination[] }
  /** The repository's setup has begun or ended, in any phase. */
  | { readonly kind: "setUp"; readonly setUp: Setup }
  /** The parked checkout was restored, in any phase. */
  | { readonly kind: "putBack"; readonly putBack: CheckoutRestored }
  /** Safe mode blocked the call before any part of it ran. */
  | {
      readonly kind: "blocked";
      readonly by: EffectId;
      readonly categories: readonly Category[];
      readonly shown: MessageId;
      readonly fingerprint: string;
    }
  /** Proposes a write, or submits a draft (`apply_draft`). `shown`: text of the card. Nothing is written yet. */
  | {
      readonly kind: "proposed";
      readonly by: EffectId;
      readonly write: Write;
      readonly scope?: string;
      readonly shown: MessageId;
      readonly fingerprint: string;
      readonly pull?: true;
      readonly commits?: number;
      readonly review?: Omit<ReviewOffer, "leftOut">;
      /** Why an approved draft was not written, in one sentence. The question is asked again. */
      readonly voided?: string;
    }
  | {
      readonly kind: "decided";
      readonly question: QuestionId;
      readonly choice: Choice;
      readonly by: Speaker;
      readonly comment: MessageId | null;
      /** How many commits of the draft to apply, counted from the first; absent for all. */
      readonly commits?: number;
      /** Number from 1: of the chosen answer to a question of the model, or of a comment that is left out. */
      readonly option?: number;
    }
  /** The answer still waits for its review. Each reason is posted once. `days`: the delay, if `why` is `late`. */
  | {
      readonly kind: "unseen";
      readonly question: QuestionId;
      readonly why: ReviewDelay;
      readonly days: number;
    }
  /** The only event that changes the work mode. `prompt` and `reason` are stored texts. */
  | {
      readonly kind: "modeSet";
      readonly mode: string;
      readonly by: PersonId;
      readonly organisation: string;
      readonly reason?: MessageId;
      readonly prompt: MessageId;
      readonly model?: ModelChoice;
    }
  | { readonly kind: "safeModeSet"; readonly on: boolean; readonly by: Speaker }
  /** Another model answers from the next request on. `window`: its context window in tokens. */
  | {
      readonly kind: "modelSet";
      readonly model: string;
      readonly window: number;
      readonly by: Speaker;
    }
  /** A person asks for write permission while no turn runs. `message`: stored text that contains no reason. */
  | {
      readonly kind: "upgradeAsked";
      readonly by: Speaker;
      readonly message: MessageId;
      /** The repository that becomes writable, if the conversation has several. */
      readonly on?: string;
    }
  /** *Ask again*: today's denials no longer pause questions. */
  | { readonly kind: "askedAgain"; readonly by: Speaker }
  /** Categories granted for this thread outside of a question (3.1 of Phase 5). */
  | { readonly kind: "granted"; readonly categories: readonly Category[]; readonly by: Speaker }
  /** A person wants to continue in a new thread (BED-023). The model is asked for the summary. */
  | { readonly kind: "continued"; readonly by: Speaker }
  | {
      readonly kind: "summarized";
      readonly by: EffectId;
      readonly message: MessageId;
      readonly text: number;
      readonly usage: Usage;
      readonly model: string;
    }
  /** A person chose how an exhausted conversation continues (BED-021). */
  | { readonly kind: "moved"; readonly seed: SeedChoice; readonly by: Speaker }
  /** `conversation` is null if the thread could not be created. */
  | {
      readonly kind: "branched";
      readonly by: EffectId;
      readonly conversation: ConversationId | null;
      readonly link?: string;
      readonly why?: string;
      /** Set for a continuation. */
      readonly carried?: CopyOutcome;
    }
  | {
      readonly kind: "stopped";
      readonly by: PersonId;
      readonly then: Utterance | null;
      /** Absent if a person pressed Stop. */
      readonly why?: StopCause;
    }
  /** Messages were deleted by their author or by a moderator. Their rows remain, empty (D8). */
  | { readonly kind: "erased"; readonly by: PersonId; readonly messages: readonly MessageId[] }
  | { readonly kind: "restricted"; readonly by: PersonId }
  | { readonly kind: "due"; readonly for: EffectId };
