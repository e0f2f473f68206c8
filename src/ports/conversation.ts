/** What is known of a conversation beside its state, and what it works on. */

import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type { Instructions } from "./channels.ts";

/** What stays the same for a conversation's life (BED-010), beside its state. */
export interface Conversation {
  readonly id: ConversationId;
  readonly surface: string;
  readonly title: string;
  /** The server that its channel belongs to; absent where there is none, or it is not known. */
  readonly server?: string;
  readonly repo: Repo;
  readonly createdBy: PersonId;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
  /** Hash of the frozen system prompt and tools (D16). */
  readonly prefix: string;
  /** Set once, when the checkout is first made; null before. */
  readonly base: Base | null;
  /** The conversation that this one was opened from. */
  readonly origin: Origin | null;
  readonly archived?: true;
  /** Those that its channel had when it began; absent where there were none. */
  readonly instructions?: Instructions;
  /** The first of its channel: its first answer says what the channel works on. */
  readonly introduces?: true;
  /** Whoever renamed it; absent where its first message named it. */
  readonly titledBy?: PersonId;
}

/** Those that people see, or those that they have put away. */
export type Listed = "listed" | "archived";

export interface Origin {
  readonly conversation: ConversationId;
  /** `branch`: a person chose to go on in another work mode there (D16). `continuation`: its context was exhausted. */
  readonly why: "branch" | "continuation";
}

/** A thread of a chat platform: the channel, and the message that the thread hangs on. */
export interface Place {
  readonly place: string;
  readonly root: string;
  /** The server that the channel belongs to; absent where the platform knows one alone, or does not tell. */
  readonly server?: string;
  /** The conversation that gives the place up: what is said there from then on is said to the new one. */
  readonly after?: ConversationId;
}

/** Where a repository comes from: a local path (the console's only) or an https or ssh URL without credentials. */
export interface Repo {
  readonly kind: "path" | "url";
  readonly location: string;
  /** The branch or tag that conversations work on; absent: the default branch. */
  readonly ref?: string;
}

export interface Base {
  readonly commit: string;
  /** Branch or tag that named the commit. */
  readonly ref: string;
  /** The working directory as the agent sees it. */
  readonly cwd: string;
}

/** System prompt and tools, byte-stable for the conversation's life so that the provider's cache hits (BED-017). */
export interface Prefix {
  readonly hash: string;
  readonly system: string;
  readonly tools: readonly ToolSpec[];
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}
