/** What the console API says and takes, as docs/reference.md has it ("Console API"); fields beside it are additions. */

import type { State } from "../../../src/machine/state.ts";
import type {
  Ask,
  Category,
  Choice,
  Confinement,
  Permission,
  SeedChoice,
} from "../../../src/machine/words.ts";
import type { Status } from "../../../src/thread/post.ts";
import type { Proposal } from "../../../src/thread/prompt.ts";
import type { DangerPrompt } from "../../../src/thread/spoken.ts";

/** A conversation as lists and headers show it. Instants are milliseconds since the epoch. */
export interface Summary {
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

/** One conversation in full: the answer of the read request and the data of a `snapshot`. */
export interface Snapshot extends Summary {
  /** The working directory as the agent sees it; null until the checkout exists. */
  readonly cwd: string | null;
  readonly posts: readonly WirePost[];
  readonly question?: WireQuestion;
  readonly status: WireStatus | null;
  readonly live: string;
}

/** The data of a `state` event. */
export interface StateNews extends Summary {
  readonly cwd: string | null;
  readonly status: WireStatus | null;
}

export interface WireStatus {
  readonly kind: Status["kind"];
  /** What is being done, in one line. */
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
  readonly kind: Ask["kind"];
  /** The model's own words, bounded. */
  readonly reason: string;
  readonly choices: readonly { readonly id: Choice; readonly label: string }[];
  /** Of a held call (Phase 5). */
  readonly details?: WireDanger;
  /** What would be written to the forge. */
  readonly proposal?: Proposal;
  /** The work mode that is proposed. */
  readonly mode?: string;
  readonly facts: QuestionFacts;
  readonly askedAt: number;
}

export interface WireDanger {
  readonly category: Category;
  readonly required_categories: readonly Category[];
  readonly prompt: DangerPrompt;
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
  readonly action: "decide" | "retry" | "stop" | "continue" | "ask_again";
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

export type WireBody =
  | {
      readonly kind: "user";
      readonly markdown: string;
      readonly by: string;
      readonly images: readonly Picture[];
    }
  | { readonly kind: "answer"; readonly markdown: string }
  | {
      readonly kind: "activity";
      readonly tool: string;
      /** One line: the command, the path, what is searched for. */
      readonly title: string;
      readonly input: string;
      readonly output: string | null;
      readonly diff: string | null;
      readonly images: readonly Picture[];
      readonly status: "waiting" | "running" | "done" | "error";
      /** Those that the call started. */
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
      readonly about: Ask["kind"];
      readonly details?: WireDanger;
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
      /** Another conversation that this one goes on in or comes from. */
      readonly thread?: string;
    }
  | {
      readonly kind: "summary";
      /** The host's words above the summary. */
      readonly markdown: string;
      /** The model's words; null where there are none. */
      readonly summary: string | null;
      /** The host's words below it. */
      readonly foot: string;
      /** The conversation that it goes on in. */
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
    };

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
  readonly model: { readonly name: string; readonly notice: string | null };
  readonly sandbox: { readonly tier: string; readonly abi: number; readonly notice: string | null };
  readonly modes: readonly { readonly key: string; readonly name: string; readonly when: string }[];
  readonly defaultRepo: string | null;
  readonly limits: { readonly messageBytes: number; readonly images: number; readonly imageBytes: number };
}
