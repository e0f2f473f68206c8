/**
 * Types of the console API as described in docs/reference.md ("Console API"); fields that are missing there
 * are additions.
 */

import type { State } from "../../../machine/state.ts";
import type {
  QuestionSpec,
  Category,
  Choice,
  Confinement,
  Permission,
  SeedChoice,
} from "../../../machine/vocabulary.ts";
import type { MessageId } from "../../../machine/id.ts";
import type { Rating } from "../../../ports/feedback.ts";
import type { ChannelName } from "../../../ports/channels.ts";
import type { LookIcon } from "../../../thread/call-text.ts";
import type { ThreadStatus } from "../../../thread/post.ts";
import type { ChannelRow } from "../channels/ports.ts";
import type { IndexHit } from "../search/ports.ts";
import type { DraftFile, DraftResult, DraftTest } from "../../../thread/draft.ts";
import type { Proposal } from "../../../thread/prompt.ts";
import type { DangerPrompt } from "../../../thread/visible-text.ts";

export type { CalledChannel } from "../../../ports/channels.ts";
export type { Server } from "../../../ports/servers.ts";
/** Names that scripts import (`parley/api`). */
export type { ConversationSnapshot as Snapshot, ConversationSummary as Summary };

/** A conversation as shown in lists and headers. Times are milliseconds since the epoch. */
export interface ConversationSummary {
  readonly id: string;
  readonly surface: string;
  readonly title: string;
  readonly repo: string;
  readonly permission: Permission;
  readonly confinement: Confinement;
  readonly mode: string;
  readonly model: string;
  readonly safeMode: boolean;
  readonly phase: State["phase"]["kind"];
  readonly context: { readonly used: number; readonly window: number; readonly percent: number };
  readonly usage: UsageFigures;
  /** Full commit id and the ref that named it; absent until the checkout exists. */
  readonly commit?: string;
  readonly ref?: string;
  /** Ids of the conversation that this one continues, and of the conversation that continues this one. */
  readonly continuedFrom?: string;
  readonly continuedTo?: string;
  /** Conversation that started this sub-agent; absent otherwise. */
  readonly parent?: string;
  /** Whether the conversation is archived; absent if it is not. */
  readonly archived?: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface UsageFigures {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number;
}

/** The data of a `state` event. */
export interface StateNews extends ConversationSummary {
  /** The working directory that the agent sees; null until the checkout exists. */
  readonly cwd: string | null;
  readonly status: WireStatus | null;
  /** Messages that start turns when no other turn runs, the oldest first; absent if there are none. */
  readonly waiting?: readonly WireWaiting[];
}

export interface WireWaiting {
  readonly id: MessageId;
  /** Name of the author. */
  readonly name: string;
  readonly text: string;
}

export interface PostPage {
  readonly posts: readonly WirePost[];
  /** Value of `before` in the request for earlier posts; absent if there are none. */
  readonly earlier?: number;
}

/**
 * One conversation: the response to a read request, or the data of a `snapshot` event, with the requested
 * posts.
 */
export interface ConversationSnapshot extends StateNews, PostPage {
  readonly question?: WireQuestion;
  readonly live: string;
}

/** Server-sent events of a conversation with their data. */
export interface ConversationEvents {
  readonly snapshot: ConversationSnapshot;
  readonly state: StateNews;
  readonly post: WirePost;
  readonly live: { readonly request: string | null; readonly text: string };
  readonly question: { readonly question: WireQuestion | null };
  readonly progress: { readonly line: string };
}

export interface ActionResult {
  readonly result: "done" | "expired" | "already_decided" | "no_op";
  readonly by?: string;
  readonly at?: number;
  /** Outcome of a message that was sent during a turn. */
  readonly as?: "added" | "waiting" | "started";
  /** The operator's thumb on the answer, after a vote. */
  readonly thumb?: Rating | null;
}

export interface WireStatus {
  readonly kind: ThreadStatus["kind"];
  readonly text: string;
  readonly tool: string | null;
  readonly attempt: number;
  readonly wait: { readonly delayMs: number; readonly message: string } | null;
  readonly actions: readonly "stop"[];
  /** `2 of 3 sub-agents done`, and a line for each sub-agent; absent if no sub-agent works. */
  readonly agents?: { readonly head: string; readonly lines: readonly string[] };
  /** ` · set-up for 40 s: …`; absent if no setup runs. */
  readonly setUp?: string;
}

export interface WireAgent {
  /** Conversation id, which the requests for conversations and traces accept. */
  readonly id: string;
  readonly task: string;
  readonly model: string;
  /** Result in the host's words; null while the sub-agent works. */
  readonly outcome: string | null;
  readonly finished: boolean;
  readonly costUsd: number;
}

export interface WireQuestion {
  readonly id: string;
  readonly kind: QuestionSpec["kind"];
  /** The model's own words, limited in length. */
  readonly reason: string;
  /** `commits`: number of commits of a draft that the choice applies. `option`: number of the agent's choice, from 1. */
  readonly choices: readonly {
    readonly id: Choice;
    readonly label: string;
    readonly commits?: number;
    readonly option?: number;
  }[];
  /** Details of a held call (Phase 5) or of a finished draft. */
  readonly details?: WireDanger | WireResult;
  /** The whole shell command of a held call; absent for other tools. */
  readonly command?: string;
  /** The proposed write to the forge, or the proposed result of a draft. */
  readonly proposal?: Proposal;
  readonly mode?: string;
  readonly facts: QuestionFacts;
  readonly askedAt: number;
}

export interface WireDanger {
  readonly category: Category;
  readonly required_categories: readonly Category[];
  readonly prompt: DangerPrompt;
}

/** Proposed result of a finished draft (D42), as the host has read it. */
export interface WireResult {
  /** Full hash of the git tree. */
  readonly tree: string;
  readonly base: string;
  readonly files: readonly DraftFile[];
  readonly test: DraftTest | null;
  readonly diff: string;
  readonly commits: DraftResult["commits"];
}

/** Facts from the host; never the model's words (docs/design/ideas.md). */
export interface QuestionFacts {
  readonly askedBy: string | null;
  readonly repo: string;
  readonly commit: string | null;
  readonly covers: string;
  /** Effect of an approval if the requester has no write permission; absent otherwise. */
  readonly request?: string;
  /** Untrusted content that the agent has read, except the checkout: `none`, or a list. */
  readonly untrusted: string;
}

/** A button: the body of its action request, and its label. */
export interface WireAction {
  readonly action: "decide" | "retry" | "retry_other" | "stop" | "continue" | "ask_again";
  readonly label: string;
  readonly question?: string;
  readonly choice?: Choice | SeedChoice;
}

export type WirePost = {
  readonly key: string;
  readonly at: number;
  readonly final: boolean;
  readonly ordinal: number;
  readonly actions: readonly WireAction[];
} & WireBody;

export type PostOf<K extends WireBody["kind"]> = Extract<WirePost, { readonly kind: K }>;

export type WireBody =
  | {
      readonly kind: "user";
      readonly markdown: string;
      readonly by: string;
      readonly images: readonly Picture[];
    }
  | {
      readonly kind: "answer";
      readonly markdown: string;
      /** The model's thoughts before the answer, as plain text; absent if the provider shows none. */
      readonly thought?: string;
    }
  | {
      readonly kind: "activity";
      readonly tool: string;
      /** Text before the title, such as `Ran`, and text after the title. */
      readonly before: string;
      readonly after: string;
      /** One line: the command, the path, or the search pattern. */
      readonly title: string;
      readonly icon: LookIcon;
      readonly face: "code" | "prose";
      readonly input: string;
      readonly output: string | null;
      readonly diff: string | null;
      readonly images: readonly Picture[];
      readonly status: "waiting" | "running" | "done" | "error";
      /** Exit and duration, such as `exit 1 · 4.2 s`; empty while the call runs. */
      readonly ended: string;
      /** The model's thoughts before a response without text, on its first call. */
      readonly thought?: string;
      readonly agents?: readonly WireAgent[];
    }
  | {
      readonly kind: "file";
      readonly markdown: string;
      readonly name: string;
      readonly size: number;
      readonly mediaType: string;
      /** Download address; null if the file was erased. */
      readonly url: string | null;
    }
  | {
      readonly kind: "question";
      readonly about: QuestionSpec["kind"];
      readonly details?: WireDanger | WireResult;
      readonly proposal?: Proposal;
      readonly markdown: string;
      readonly reason: string;
      readonly decision: WireDecision | null;
      /** Name of the pull request that the decision opened. */
      readonly opened?: string;
    }
  | {
      readonly kind: "notice";
      readonly markdown: string;
      readonly topic:
        | "opening"
        | "permission"
        | "stopped"
        | "interrupted"
        | "failed"
        | "answer"
        | "mode"
        | "forge";
      readonly tone: "plain" | "warning" | "error";
      /** Present if the conversation can write from this post on. */
      readonly unlocks?: true;
      /** Id of the conversation that this one continues in or comes from. */
      readonly thread?: string;
    }
  | {
      readonly kind: "summary";
      readonly markdown: string;
      /** The model's words; null if there are none. */
      readonly summary: string | null;
      /** The host's words below the summary. */
      readonly foot: string;
      readonly thread?: string;
    }
  | {
      readonly kind: "footer";
      readonly markdown: string;
      readonly model: string;
      readonly mode: string;
      readonly permission: Permission;
      readonly usage: UsageFigures;
      readonly durationMs: number;
      /** Used percentage of the context window; null below 1 %. */
      readonly context: number | null;
      readonly commit: string | null;
      /**
       * Markdown list of the citations, with links if the forge is known; null if the answer cites nothing.
       */
      readonly sources: string | null;
      /** Markdown: links to answers to similar questions; null if no similar question was answered. */
      readonly earlier: string | null;
      /** Number of the channel's notes that the model read. */
      readonly notes: number;
      /** Judgment of the answer so far; null if the turn ended without an answer. */
      readonly answer: WireJudged | null;
    };

export interface WireJudged {
  readonly id: MessageId;
  /** The operator's own thumb. */
  readonly thumb: Rating | null;
  readonly solved: boolean;
  /** Whether a person may request a deeper look by the usual model. */
  readonly deeper: boolean;
}

export interface WireDecision {
  readonly choice: Choice;
  /** The decision in the host's words, before "by PERSON". */
  readonly verdict: string;
  readonly by: string;
  readonly at: number;
  readonly comment: string | null;
}

export interface Picture {
  readonly url: string;
  readonly mediaType: string;
}

/** Facts about the host that the page reads once. */
export interface About {
  readonly version: string;
  /** `notice`: shown if the model is not what a person would expect (the demo model). */
  readonly model: { readonly name: string; readonly notice: string | null };
  /**
   * `abi`: Landlock ABI, 0 if absent. `notice`: why Restricted is not offered, and what the kernel needs
   * (BED-014).
   */
  readonly sandbox: { readonly tier: string; readonly abi: number; readonly notice: string | null };
  readonly modes: readonly { readonly key: string; readonly name: string; readonly when: string }[];
  /** Names of the available models, the usual one first. */
  readonly models: readonly string[];
  readonly defaultRepo: string | null;
  /**
   * Limits of a message: bytes of UTF-8 of the text, number of pictures, bytes of a picture before it is
   * resized, and bytes of another file.
   */
  readonly limits: {
    readonly messageBytes: number;
    readonly images: number;
    readonly imageBytes: number;
    readonly fileBytes: number;
  };
}

export interface Channel extends Omit<ChannelRow, "budget"> {
  /** Null if the platform was not asked yet; `/api/channels/names` asks the platform. */
  readonly called: ChannelName | null;
  /** Absent if the default budget applies; null for no limit. */
  readonly budgetUsd?: number | null;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  /** Value of `before` for the next page; null at the end. */
  readonly next: number | null;
}

export type SearchHit = Omit<IndexHit, "at">;
