/** What a thread shows, free of any platform: posts and a status. */

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
  /** What the agent is doing; null when it waits for people. */
  readonly status: ThreadStatus | null;
}

export interface Post {
  /** Stable for the life of the post; the ledger's key. */
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
      /** How long it ran; absent while it does. */
      readonly took?: Millis;
      /** Those that the call started. */
      readonly agents?: readonly Agent[];
    }
  | {
      readonly kind: "question";
      /** Null once it is answered. */
      readonly question: QuestionId | null;
      /** Whose message set off the turn that asks; absent where that is not known. */
      readonly asker?: PersonId;
      /** The turn that asks. */
      readonly turn: number;
      readonly message: MessageId;
      readonly call: Call;
      /** Absent means the upgrade. */
      readonly ask?: QuestionSpec;
      readonly untrusted?: UntrustedContent;
      /** What an approval of the upgrade covers; absent from other questions, and if it no longer waits. */
      readonly cover?: UnrestrictedCover;
      readonly decision: Decision | null;
      /** Answers of its turn are held: the thread tells that a request waits, and none of its words. */
      readonly withheld?: true;
      /** The text of the response that asks is long: it is what people decide on, and stands in the question. */
      readonly plan?: true;
      /** The turn was stopped while it waited: it tells that end too, with the cause where it was no person. */
      readonly stopped?: true | StopCause;
      /** What became of the write to the forge that was approved. */
      readonly wrote?: WriteOutcome;
      /** The new thread that was chosen: null where it could not be opened. */
      readonly branched?: {
        readonly link?: string;
        readonly to: ConversationId | null;
        readonly why?: string;
      };
    }
  /** A file that a call shares: the `index`th of the words of its result. */
  | { readonly kind: "file"; readonly message: MessageId; readonly index: number }
  /** `folded`: the message of its turn, or the question that it follows from, says it where people chat. */
  | { readonly kind: "notice"; readonly notice: Notice; readonly folded?: true }
  | TurnBody
  /** Where the conversation ends and how it goes on (BED-021). */
  | ({
      readonly kind: "summary";
      /** Null until it goes on in another conversation. */
      readonly next: ConversationId | null;
      /** The address of its thread on a chat platform. */
      readonly link?: string;
      readonly carried?: CopyOutcome;
      /** Nobody has looked at what the turn said: its words are not posted. */
      readonly withheld?: true;
    } & Summary)
  | {
      readonly kind: "footer";
      readonly usage: Usage;
      readonly model: string;
      readonly mode: string;
      readonly permission: State["permission"];
      readonly duration: Millis;
      /** The answer that it stands below; absent where the turn ended without one. */
      readonly answer?: MessageId;
      /** Percent of the context window that is used; absent below one. */
      readonly context?: number;
      readonly earlier?: readonly EarlierAnswer[];
    };

/** What people on chat platforms read of a turn that is over: one message (TH1). */
export interface TurnBody {
  readonly kind: "turn";
  readonly end: TurnEnd["why"];
  /** What it answers, and who asked; absent if its entries hold no message. */
  readonly asked?: TurnAsker;
  /** The responses whose text is read, in order. */
  readonly said: readonly MessageId[];
  readonly changes: readonly TurnStep[];
  /** Files that calls share: the `index`th of the words of a result. */
  readonly files: readonly { readonly message: MessageId; readonly index: number }[];
  /** All calls, and the first of them. */
  readonly steps: { readonly count: number; readonly rows: readonly TurnStep[] };
  readonly notices: readonly Notice[];
  /** That of the turn's speaker (D1). */
  readonly permission: Permission;
  /** Whoever spoke may not approve: why it was Restricted in a thread that is not. */
  readonly held?: PersonId;
  /** This host cannot confine what it runs. */
  readonly unconfined?: true;
  /** Every step ran Restricted. */
  readonly readOnly?: true;
  /** Nothing ran after the last change that could have committed it. */
  readonly uncommitted?: true;
  /** Pictures that came with the question; absent means none. */
  readonly pictures?: number;
  /** How long the model was asked in vain, where it failed. */
  readonly tried?: Millis;
  readonly duration: Millis;
  /** The model that answered last; absent if none did. */
  readonly model?: string;
  /** Somebody looked at it before it was posted, and whether it is that person's words by now. */
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

/** A turn that goes on, as far as its message will tell of it. */
export interface OpenTurn extends Pick<TurnBody, "asked" | "said" | "changes"> {
  /** Of its message. */
  readonly key: string;
  readonly begun: Millis;
}

/** Stands for the response in flight among those that are stored. */
export const LIVE: MessageId = "m-live";

/** One call of a turn that is over. */
export interface TurnStep {
  /** The response that asked for it. */
  readonly message: MessageId;
  readonly call: Call;
  readonly outcome: Outcome;
  readonly took: Millis;
}

/** Key of the first post. */
export const OPENING = "opening";

export type Action = Choice | OwnAction;

/** Those that answer no question. *Continue in a new thread* comes first, then *New with summary* or *New empty*. */
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
  /** Name of the tool that runs. */
  readonly tool: string | null;
  readonly attempt: number;
  /** What sub-agents do, as the shell sees it now; absent where none work. */
  readonly agents?: readonly AgentStatus[];
  /** What the repository's set-up does behind the turn's back: for how long, and the last that it wrote. */
  readonly setUp?: SetupStatus;
  /** The model has said nothing for a minute, as the shell sees it now. */
  readonly silent?: true;
  /** While waiting: how long, and what went wrong before. */
  readonly wait: { readonly delay: Millis; readonly failure: Failure } | null;
  readonly actions: readonly "stop"[];
}

export interface SetupStatus {
  readonly seconds: number;
  /** The last line that it wrote, masked; empty before the first. */
  readonly line: string;
}

export interface AgentStatus {
  readonly task: string;
  readonly step: "waiting" | "thinking" | "running" | "ended";
  /** Name of the tool that it runs. */
  readonly tool: string | null;
  readonly how: AgentHow | null;
  readonly costMicroUsd: number;
}
