/** What the console API says and takes, as contracts.md has it ("Console API"); fields beside it are additions. */

import type { State } from "../../src/core/state.ts";
import type { Ask, Category, Choice, Confinement, Permission } from "../../src/core/words.ts";

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
  readonly kind: "thinking" | "retrying" | "running" | "stopping";
  readonly tool: string | null;
  readonly attempt: number;
  readonly wait: { readonly delayMs: number; readonly message: string } | null;
  readonly actions: readonly "stop"[];
}

export interface WireQuestion {
  readonly id: string;
  readonly kind: Ask["kind"];
  /** The model's own words, bounded. */
  readonly reason: string;
  readonly choices: readonly { readonly id: Choice; readonly label: string }[];
  /** Of a held call (Phase 5). */
  readonly details?: WireDanger;
  /** The work mode that is proposed. */
  readonly mode?: string;
  /** Set where the question was put again because it had grown old. */
  readonly firstAskedAt?: number;
  readonly facts: QuestionFacts;
  readonly askedAt: number;
}

export interface WireDanger {
  readonly category: Category;
  readonly required_categories: readonly Category[];
  readonly prompt: {
    readonly what: string;
    readonly why: string;
    readonly risk: string;
    readonly changes: readonly string[];
  };
}

/** What the host knows; never the model's words (design.md 5). */
export interface QuestionFacts {
  readonly askedBy: string | null;
  readonly repo: string;
  readonly commit: string | null;
  readonly covers: string;
}

/** A button: the body of the action request that it stands for, and its label. */
export interface WireAction {
  readonly action: "decide" | "retry";
  readonly label: string;
  readonly question?: string;
  readonly choice?: Choice;
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
    }
  | {
      readonly kind: "question";
      readonly about: Ask["kind"];
      readonly details?: WireDanger;
      readonly markdown: string;
      readonly reason: string;
      readonly decision: WireDecision | null;
    }
  | {
      readonly kind: "notice";
      readonly markdown: string;
      readonly topic: "opening" | "permission" | "stopped" | "interrupted" | "failed" | "answer" | "mode";
      readonly tone: "plain" | "warning" | "error";
      /** Another conversation that this one goes on in or comes from. */
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
      readonly commit: string | null;
    };

export interface WireDecision {
  readonly choice: Choice;
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
