/** What the console API says and takes, as docs/reference.md has it ("Console API"); fields beside it are additions. */

import type { State } from "../../../machine/state.ts";
import type {
  QuestionSpec,
  Category,
  Choice,
  Confinement,
  Permission,
  SeedChoice,
} from "../../../machine/words.ts";
import type { MessageId } from "../../../machine/id.ts";
import type { Rating } from "../../../ports/feedback.ts";
import type { ChannelName } from "../../../ports/channels.ts";
import type { LookIcon } from "../../../thread/call-text.ts";
import type { ThreadStatus } from "../../../thread/post.ts";
import type { ChannelRow } from "../channels/ports.ts";
import type { IndexHit } from "../search/ports.ts";
import type { DraftFile, DraftResult, DraftTest } from "../../../thread/draft.ts";
import type { Proposal } from "../../../thread/prompt.ts";
import type { DangerPrompt } from "../../../thread/spoken.ts";

export type { CalledChannel } from "../../../ports/channels.ts";
export type { Server } from "../../../ports/servers.ts";
/** Names that scripts import (`parley/api`). */
export type { ConversationSnapshot as Snapshot, ConversationSummary as Summary };

/** A conversation as lists and headers show it. Instants are milliseconds since the epoch. */
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
  /** The conversation that this one goes on from, and the one that it goes on in. */
  readonly continuedFrom?: string;
  readonly continuedTo?: string;
  /** Of a sub-agent: the conversation that started it. */
  readonly parent?: string;
  /** It was put away; absent where it is in the list. */
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
  /** The working directory as the agent sees it; null until the checkout exists. */
  readonly cwd: string | null;
  readonly status: WireStatus | null;
}

/** Some of the posts, one after the other. */
export interface PostPage {
  readonly posts: readonly WirePost[];
  /** `before` of the request for earlier ones; absent where there are none. */
  readonly earlier?: number;
}

/** One conversation: the answer of the read request and the data of a `snapshot`, with the posts that were asked for. */
export interface ConversationSnapshot extends StateNews, PostPage {
  readonly question?: WireQuestion;
  readonly live: string;
}

/** The server-sent events of a conversation, and the data of each. */
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
  /** The operator's own on the answer that was judged. */
  readonly thumb?: Rating | null;
}

export interface WireStatus {
  readonly kind: ThreadStatus["kind"];
  readonly text: string;
  readonly tool: string | null;
  readonly attempt: number;
  readonly wait: { readonly delayMs: number; readonly message: string } | null;
  readonly actions: readonly "stop"[];
  /** `2 of 3 sub-agents done`, and a line for each; absent where none work. */
  readonly agents?: { readonly head: string; readonly lines: readonly string[] };
  /** ` · set-up for 40 s: …`; absent where none runs. */
  readonly setUp?: string;
}

/** A sub-agent, as the conversation that started it tells of it. */
export interface WireAgent {
  /** It can be read like any conversation, its trace too. */
  readonly id: string;
  readonly task: string;
  readonly model: string;
  /** What it came to, in the host's words; null while it works. */
  readonly outcome: string | null;
  readonly finished: boolean;
  readonly costUsd: number;
}

export interface WireQuestion {
  readonly id: string;
  readonly kind: QuestionSpec["kind"];
  /** The model's own words, bounded. */
  readonly reason: string;
  /** `commits`: of a draft's, only the first so many. */
  readonly choices: readonly { readonly id: Choice; readonly label: string; readonly commits?: number }[];
  /** Of a held call (Phase 5), or of a finished draft. */
  readonly details?: WireDanger | WireResult;
  /** The whole shell command of a held call; absent for another tool. */
  readonly command?: string;
  /** What would be written to the forge, or made real. */
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

/** What a finished draft would make real (D42), as the host read it. */
export interface WireResult {
  /** Full hash of the git tree. */
  readonly tree: string;
  readonly base: string;
  readonly files: readonly DraftFile[];
  readonly test: DraftTest | null;
  readonly diff: string;
  readonly commits: DraftResult["commits"];
}

/** What the host knows; never the model's words (docs/design/ideas.md). */
export interface QuestionFacts {
  readonly askedBy: string | null;
  readonly repo: string;
  readonly commit: string | null;
  readonly covers: string;
  /** Set where whoever asks may not have anything changed: what an approval does then. */
  readonly request?: string;
  /** What the agent has read that nobody of this conversation said, besides the checkout: `none`, or a list. */
  readonly untrusted: string;
}

/** A button: the body of the action request that it stands for, and its label. */
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
  /** Order of posts in the thread. */
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
      /** What the model thought before, as plain text; absent where its provider shows nothing. */
      readonly thought?: string;
    }
  | {
      readonly kind: "activity";
      readonly tool: string;
      /** `Ran`, before the title, and what stands after it. */
      readonly before: string;
      readonly after: string;
      /** One line: the command, the path, what is searched for. */
      readonly title: string;
      readonly icon: LookIcon;
      readonly face: "code" | "prose";
      readonly input: string;
      readonly output: string | null;
      readonly diff: string | null;
      readonly images: readonly Picture[];
      readonly status: "waiting" | "running" | "done" | "error";
      /** How it ended and what it took: `exit 1 · 4.2 s`; empty while it has not ended. */
      readonly ended: string;
      /** What the model thought before a response that is calls alone, at the first of them. */
      readonly thought?: string;
      readonly agents?: readonly WireAgent[];
    }
  | {
      readonly kind: "file";
      readonly markdown: string;
      readonly name: string;
      readonly size: number;
      readonly mediaType: string;
      /** Where it is downloaded from; null where it was erased. */
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
      /** The conversation may write from here on. */
      readonly unlocks?: true;
      /** Another conversation that this one goes on in or comes from. */
      readonly thread?: string;
    }
  | {
      readonly kind: "summary";
      readonly markdown: string;
      /** The model's words; null where there are none. */
      readonly summary: string | null;
      /** The host's words below it. */
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
      /** Percent of the context window that was used; null below one. */
      readonly context: number | null;
      readonly commit: string | null;
      /** Markdown: what the answer cites, with links where the forge is known; null where it cites nothing. */
      readonly sources: string | null;
      /** Markdown: links to answers to similar questions; null if there are none. */
      readonly earlier: string | null;
      /** What can be judged, and what is thought of it already; null where the turn ended without an answer. */
      readonly answer: WireJudged | null;
    };

/** What is thought of an answer. */
export interface WireJudged {
  readonly id: MessageId;
  /** The operator's own. */
  readonly thumb: Rating | null;
  readonly solved: boolean;
  /** The usual model may be asked to look deeper. */
  readonly deeper: boolean;
}

export interface WireDecision {
  readonly choice: Choice;
  /** In the host's words, before "by PERSON". */
  readonly verdict: string;
  readonly by: string;
  readonly at: number;
  readonly comment: string | null;
}

export interface Picture {
  readonly url: string;
  readonly mediaType: string;
}

/** What the page asks once: who is served, by what, and what a newcomer must be told. */
export interface About {
  readonly version: string;
  /** `notice`: told where the model is not what a person would expect (the demo model). */
  readonly model: { readonly name: string; readonly notice: string | null };
  /** `abi`: of Landlock, 0 when absent. `notice`: why Restricted is not offered, with what the kernel needs (BED-014). */
  readonly sandbox: { readonly tier: string; readonly abi: number; readonly notice: string | null };
  readonly modes: readonly { readonly key: string; readonly name: string; readonly when: string }[];
  /** Names of the models that can be chosen, the usual one first. */
  readonly models: readonly string[];
  readonly defaultRepo: string | null;
  /** Bytes of UTF-8 of one message's text, its pictures, and bytes of one before it is resized. */
  readonly limits: { readonly messageBytes: number; readonly images: number; readonly imageBytes: number };
}

/** A chat channel and what it has of its own. */
export interface Channel extends Omit<ChannelRow, "budget"> {
  /** Null where its platform was not asked yet: `/api/channels/names` asks. */
  readonly called: ChannelName | null;
  /** Absent where the usual one holds; null: no bound. */
  readonly budgetUsd?: number | null;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  /** `before` of the next page; null at the end. */
  readonly next: number | null;
}

export type SearchHit = Omit<IndexHit, "at">;
