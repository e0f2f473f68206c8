/** Platform-independent content of a thread: posts and a status. */

import type { Agent, AgentHow } from "../machine/agent.ts";
import type { ConversationId, MessageId, Millis, PersonId, QuestionId } from "../machine/id.ts";
import type { State, TurnEnd } from "../machine/state.ts";
import type { Decision, Notice, Outcome, Summary } from "../machine/transcript.ts";
import type {
  QuestionSpec,
  Call,
  CopyOutcome,
  Choice,
  Failure,
  Permission,
  Speaker,
  StopCause,
  UntrustedContent,
  Usage,
  WriteOutcome,
  EarlierAnswer,
} from "../machine/vocabulary.ts";
import type { UnrestrictedCover } from "./question.ts";

export interface ThreadPosts {
  readonly posts: readonly Post[];
  /** Null if the agent waits for people. */
  readonly status: ThreadStatus | null;
}

export interface Post {
  /** Key in the ledger, stable for the life of the post. */
  readonly key: string;
  readonly at: Millis;
  /** False while the post may still change. */
  readonly final: boolean;
  readonly actions: readonly Action[];
  readonly body: PostBody;
}

export type PostBody =
  | {
      readonly kind: "opening";
      readonly mode: string;
      readonly permission: State["permission"];
      readonly confinement: State["confinement"];
    }
  | { readonly kind: "user"; readonly message: MessageId; readonly speaker: Speaker; readonly images: number }
  | { readonly kind: "answer"; readonly message: MessageId }
  | {
      readonly kind: "activity";
      readonly message: MessageId;
      readonly call: Call;
      readonly status: "waiting" | "running" | "done" | "error";
      readonly outcome: Outcome | null;
      readonly took?: Millis;
      readonly agents?: readonly Agent[];
    }
  | {
      readonly kind: "question";
      /** Null once the question is answered. */
      readonly question: QuestionId | null;
      readonly asker?: PersonId;
      readonly turn: number;
      readonly message: MessageId;
      readonly call: Call;
      /** Absent for an upgrade. */
      readonly ask?: QuestionSpec;
      readonly untrusted?: UntrustedContent;
      /** Absent for other questions and for answered ones. */
      readonly cover?: UnrestrictedCover;
      readonly decision: Decision | null;
      /** Whether answers of the turn are held for review: the thread then shows that a request waits, but not its text. */
      readonly withheld?: true;
      /** Whether the response that asks has a long text: people decide on it, so the question contains it. */
      readonly plan?: true;
      /** The post reports a stop that came while the question waited, with the cause unless a person stopped the turn. */
      readonly stopped?: true | StopCause;
      readonly wrote?: WriteOutcome;
      /** `to` is null if the thread could not be opened. */
      readonly branched?: {
        readonly link?: string;
        readonly to: ConversationId | null;
        readonly why?: string;
      };
    }
  /** `index`: position of the file in the stored result. */
  | { readonly kind: "file"; readonly message: MessageId; readonly index: number }
  /** `folded`: in chat, the message of the turn or the preceding question contains the notice. */
  | { readonly kind: "notice"; readonly notice: Notice; readonly folded?: true }
  | TurnBody
  | ({
      readonly kind: "summary";
      readonly next: ConversationId | null;
      readonly link?: string;
      readonly carried?: CopyOutcome;
      /** Whether the turn's text was not reviewed, and is therefore not posted. */
      readonly withheld?: true;
    } & Summary)
  | {
      readonly kind: "footer";
      readonly usage: Usage;
      readonly model: string;
      readonly mode: string;
      readonly permission: State["permission"];
      readonly duration: Millis;
      /** Absent if the turn ended without an answer. */
      readonly answer?: MessageId;
      /** Percent of the context window that is used; absent below one. */
      readonly context?: number;
      readonly earlier?: readonly EarlierAnswer[];
    };

/** The one message in chat about a finished turn (TH1). */
export interface TurnBody {
  readonly kind: "turn";
  readonly end: TurnEnd["why"];
  readonly asked?: TurnAsker;
  readonly said: readonly MessageId[];
  readonly changes: readonly TurnStep[];
  readonly files: readonly { readonly message: MessageId; readonly index: number }[];
  /** `rows`: the first calls only. */
  readonly steps: { readonly count: number; readonly rows: readonly TurnStep[] };
  readonly notices: readonly Notice[];
  /** Permission of the turn's speaker (D1). */
  readonly permission: Permission;
  /** Set if the turn was Restricted in an Unrestricted thread, because this speaker has no write permission. */
  readonly held?: PersonId;
  readonly unconfined?: true;
  readonly readOnly?: true;
  /** Whether nothing ran after the last change that could have committed it. */
  readonly uncommitted?: true;
  readonly pictures?: number;
  /** How long failed requests to the model were tried; absent if none failed. */
  readonly tried?: Millis;
  readonly duration: Millis;
  readonly model?: string;
  /** Reviewer of the answer, and whether the reviewer edited it. */
  readonly looked?: { readonly by: PersonId; readonly edited: boolean };
  readonly context?: number;
  readonly earlier?: readonly EarlierAnswer[];
}

export interface TurnAsker {
  readonly message: MessageId;
  readonly by: PersonId;
}

/** Content of a running turn that the turn's message will contain. */
export interface OpenTurn extends Pick<TurnBody, "asked" | "said" | "changes"> {
  readonly key: string;
  readonly begun: Millis;
}

/** Placeholder for the response in flight in lists of stored ids. */
export const LIVE: MessageId = "m-live";

export interface TurnStep {
  readonly message: MessageId;
  readonly call: Call;
  readonly outcome: Outcome;
  readonly took: Millis;
}

export const OPENING = "opening";

export type Action = Choice | OwnAction;

/** Actions that answer no question. *Continue in a new thread* comes first, then *New with summary* or *New empty*. */
export const OWN_ACTIONS = [
  "retry",
  "retry_other",
  "stop",
  "continue",
  "ask_again",
  "with_summary",
  "new_empty",
] as const;
export type OwnAction = (typeof OWN_ACTIONS)[number];

export interface ThreadStatus {
  readonly kind: "thinking" | "retrying" | "running" | "stopping" | "summarizing";
  readonly tool: string | null;
  readonly attempt: number;
  readonly agents?: readonly AgentStatus[];
  readonly setUp?: SetupStatus;
  /** Whether the model has sent nothing for a minute. */
  readonly silent?: true;
  readonly wait: { readonly delay: Millis; readonly failure: Failure } | null;
  readonly actions: readonly "stop"[];
  /** Messages that start turns after this one, in order; absent if there are none. */
  readonly waiting?: readonly WaitingMessage[];
}

export interface WaitingMessage {
  readonly message: MessageId;
  readonly by: PersonId;
  readonly name: string;
}

export interface SetupStatus {
  readonly seconds: number;
  /** The last output line, masked; empty before the first. */
  readonly line: string;
}

export interface AgentStatus {
  readonly task: string;
  readonly step: "waiting" | "thinking" | "running" | "ended";
  readonly tool: string | null;
  readonly how: AgentHow | null;
  readonly costMicroUsd: number;
}
