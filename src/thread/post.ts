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
} from "../machine/words.ts";
import type { UnrestrictedCover } from "./question.ts";

export interface ThreadPosts {
  readonly posts: readonly Post[];
  /** Current activity of the agent; null if it waits for people. */
  readonly status: ThreadStatus | null;
}

export interface Post {
  /** Key in the ledger, stable for the life of the post. */
  readonly key: string;
  readonly at: Millis;
  /** False while it may still change. */
  readonly final: boolean;
  readonly actions: readonly Action[];
  readonly body: PostBody;
}

export type PostBody =
  | {
      readonly kind: "opening";
      /** Key of the work mode. */
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
      /** How long the call ran; absent while it runs. */
      readonly took?: Millis;
      readonly agents?: readonly Agent[];
    }
  | {
      readonly kind: "question";
      /** Null once the question is answered. */
      readonly question: QuestionId | null;
      /** Author of the message that started the turn; absent if unknown. */
      readonly asker?: PersonId;
      /** The turn that asks. */
      readonly turn: number;
      readonly message: MessageId;
      readonly call: Call;
      /** Absent for an upgrade. */
      readonly ask?: QuestionSpec;
      readonly untrusted?: UntrustedContent;
      /** What an approval of the upgrade covers; absent for other questions and for answered ones. */
      readonly cover?: UnrestrictedCover;
      readonly decision: Decision | null;
      /** Whether answers of the turn are held for review: the thread then shows that a request waits, but not its text. */
      readonly withheld?: true;
      /** Whether the response that asks has a long text: people decide on it, so the question contains it. */
      readonly plan?: true;
      /** The turn was stopped while the question waited. The post reports that, with the cause unless a person stopped it. */
      readonly stopped?: true | StopCause;
      /** Outcome of the approved write to the forge. */
      readonly wrote?: WriteOutcome;
      /** The new thread that was chosen: `to` is null if it could not be opened. */
      readonly branched?: {
        readonly link?: string;
        readonly to: ConversationId | null;
        readonly why?: string;
      };
    }
  /** A file that a call shares: number `index` in the words of its result. */
  | { readonly kind: "file"; readonly message: MessageId; readonly index: number }
  /** `folded`: in chat, the message of the turn or the preceding question contains the notice. */
  | { readonly kind: "notice"; readonly notice: Notice; readonly folded?: true }
  | TurnBody
  /** End of the conversation, and how it continues (BED-021). */
  | ({
      readonly kind: "summary";
      /** Null until another conversation continues this one. */
      readonly next: ConversationId | null;
      /** Address of the new thread on a chat platform. */
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
      /** Answer above the footer; absent if the turn ended without one. */
      readonly answer?: MessageId;
      /** Percent of the context window that is used; absent below one. */
      readonly context?: number;
      readonly earlier?: readonly EarlierAnswer[];
    };

/** The one message in chat about a finished turn (TH1). */
export interface TurnBody {
  readonly kind: "turn";
  readonly end: TurnEnd["why"];
  /** The answered message and its author; absent if the turn's entries hold no message. */
  readonly asked?: TurnAsker;
  /** Responses whose text is shown, in order. */
  readonly said: readonly MessageId[];
  readonly changes: readonly TurnStep[];
  /** Files that calls share: number `index` in the words of a result. */
  readonly files: readonly { readonly message: MessageId; readonly index: number }[];
  /** Number of calls, and the first of them. */
  readonly steps: { readonly count: number; readonly rows: readonly TurnStep[] };
  readonly notices: readonly Notice[];
  /** Permission of the turn's speaker (D1). */
  readonly permission: Permission;
  /** Speaker who must not approve: the reason why the turn was Restricted in an Unrestricted thread. */
  readonly held?: PersonId;
  /** Whether this host cannot confine commands. */
  readonly unconfined?: true;
  /** Whether every step ran Restricted. */
  readonly readOnly?: true;
  /** Whether nothing ran after the last change that could have committed it. */
  readonly uncommitted?: true;
  /** Pictures of the question; absent means none. */
  readonly pictures?: number;
  /** How long failed requests to the model were tried; absent if none failed. */
  readonly tried?: Millis;
  readonly duration: Millis;
  /** The model that answered last; absent if none did. */
  readonly model?: string;
  /** Reviewer of the answer, and whether the reviewer edited it. */
  readonly looked?: { readonly by: PersonId; readonly edited: boolean };
  /** Percent of the context window that is used; absent below one. */
  readonly context?: number;
  /** Answers to similar questions; absent if there are none. */
  readonly earlier?: readonly EarlierAnswer[];
}

export interface TurnAsker {
  readonly message: MessageId;
  readonly by: PersonId;
}

/** Content of a running turn that its message will contain. */
export interface OpenTurn extends Pick<TurnBody, "asked" | "said" | "changes"> {
  readonly key: string;
  readonly begun: Millis;
}

/** Id of the response in flight among stored ones. */
export const LIVE: MessageId = "m-live";

/** One call of a finished turn. */
export interface TurnStep {
  /** The response that contains the call. */
  readonly message: MessageId;
  readonly call: Call;
  readonly outcome: Outcome;
  readonly took: Millis;
}

/** Key of the first post. */
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
  /** Name of the running tool; null if none runs. */
  readonly tool: string | null;
  readonly attempt: number;
  /** Current state of sub-agents; absent if none run. */
  readonly agents?: readonly AgentStatus[];
  /** Progress of the repository's setup, which runs in the background; absent if none runs. */
  readonly setUp?: SetupStatus;
  /** Whether the model has sent nothing for a minute. */
  readonly silent?: true;
  /** Delay before the next try, and the last failure; null if no retry waits. */
  readonly wait: { readonly delay: Millis; readonly failure: Failure } | null;
  readonly actions: readonly "stop"[];
}

export interface SetupStatus {
  readonly seconds: number;
  /** The last output line, masked; empty before the first. */
  readonly line: string;
}

export interface AgentStatus {
  readonly task: string;
  readonly step: "waiting" | "thinking" | "running" | "ended";
  /** Name of the tool that the sub-agent runs. */
  readonly tool: string | null;
  readonly how: AgentHow | null;
  readonly costMicroUsd: number;
}
