/**
 * What the runtime needs of the world, declared on the caller's floor, and what it offers to surfaces.
 *
 * Contract of every asynchronous member: it must not throw or reject; failure is a value. Store members that read are
 * synchronous; those that write settle when what they wrote is on the disk, or with a value when it refuses.
 */

import type { Effect } from "../core/effect.ts";
import type { Event } from "../core/event.ts";
import type { ConversationId, EffectId, MessageId, Millis, PersonId, QuestionId } from "../core/id.ts";
import type { AnswerBlock, PromptMessage, Told, Words } from "../core/prompt.ts";
import type { Refusal } from "../core/refusal.ts";
import type { State } from "../core/state.ts";
import type { Entry } from "../core/transcript.ts";
import type { Post, Status } from "../core/view.ts";
import type {
  Ask,
  Category,
  Choice,
  Confinement,
  Failure,
  SeedChoice,
  Speaker,
  Stop,
  StopCause,
  Usage,
} from "../core/words.ts";
import type { Claim, ClaimKey, ClaimOutcome, Message } from "./ports-claims.ts";
import type { Erasable, Erasure, ForgetPerson, Forgetting, Instructed } from "./ports-erasure.ts";
import type { Guidance, Instructions } from "./ports-guidance.ts";
import type { SetUpStanding } from "./ports-setup.ts";
import type { QuestionChange } from "./ports-questions.ts";
import type { Removable, Shelf } from "./ports-shelf.ts";
import type { TraceRow } from "./ports-trace.ts";

export interface Clock {
  now(): Millis;
  /** Fires once after `delay` of real time, whatever the wall clock does (D11). Returns the way to cancel it. */
  after(delay: Millis, fire: () => void): () => void;
}

/** At least 128 random bits, lower-case letters and digits. */
export type RandomId = () => string;

/** Structured log; never given people's or models' words, or secrets. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

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

export type WriteFailure = {
  readonly kind: "failed";
  /** `conflict`: what is stored contradicts the write, so trying again cannot help. */
  readonly code: "disk_full" | "read_only" | "io" | "conflict" | "closing";
  readonly message: string;
};

type Done = { readonly kind: "done" } | WriteFailure;

export interface Commit {
  readonly conversation: ConversationId;
  readonly event: Event;
  readonly labels: readonly string[];
  readonly actor: PersonId | null;
  readonly before: State;
  readonly after: State;
  readonly effects: readonly Effect[];
  readonly append: readonly Entry[];
  /** Words that the event brought; stored once, named by the entries (D8). */
  readonly words: readonly { readonly id: MessageId; readonly words: Words }[];
  /** Of the projection of this step those that may be new: inserted, or replaced by key where different. */
  readonly posts: readonly Post[];
  /** One question may end and the next begin in the same step. */
  readonly questions: readonly QuestionChange[];
  /** The inbox row that this step answers (D20). */
  readonly claim: ClaimKey | null;
  /** An archived conversation is in the list again. */
  readonly back?: boolean;
  /** What is taken back with this step. */
  readonly erasure?: Erasure;
}

export interface QuestionRow {
  readonly wire: string;
  readonly conversation: ConversationId;
  readonly question: QuestionId;
  readonly type: Ask["kind"];
  readonly fingerprint: string;
  readonly askedAt: Millis;
  readonly status: "pending" | Choice | "withdrawn";
  readonly by: PersonId | null;
  readonly at: Millis | null;
}

/** One post of the ledger. `revision` grows with every change in the conversation; `ordinal` is the order of posts. */
export interface PostRow {
  readonly post: Post;
  readonly ordinal: number;
  readonly revision: number;
}

export interface Stored {
  readonly conversation: Conversation;
  /** Grants are always empty here: they are never stored (C27). */
  readonly state: State;
  /** The open turn's entries from its last response on: what `view` needs. */
  readonly tail: readonly Entry[];
}

export interface Store extends Erasable, Removable<WriteFailure>, Instructed<WriteFailure> {
  /** `thread`: where it lives on a chat platform; `conflict` where another conversation lives there. */
  create(
    conversation: Conversation,
    initial: State,
    prefix: Prefix,
    thread?: Place,
  ): Promise<{ readonly kind: "created" } | WriteFailure>;
  load(id: ConversationId): Stored | null;
  /** All of it or nothing (design.md idea 2). Answers the ledger rows it changed. */
  commit(
    commit: Commit,
  ): Promise<{ readonly kind: "committed"; readonly posts: readonly PostRow[] } | WriteFailure>;
  setBase(id: ConversationId, base: Base): Promise<Done>;
  /** `by`: whoever renamed it; null where it is named by what was said. */
  setTitle(id: ConversationId, title: string, by: PersonId | null): Promise<Done>;
  prefix(hash: string): Prefix | null;
  /** The transcript with its words, from `after` (number of entries to leave out) on. */
  history(id: ConversationId, after: number): readonly Told[];
  words(ids: readonly MessageId[]): ReadonlyMap<MessageId, Words>;
  posts(id: ConversationId, afterRevision: number): readonly PostRow[];
  question(wire: string): QuestionRow | null;
  pendingQuestion(id: ConversationId): QuestionRow | null;
  /** Every pending question, oldest first. */
  waiting(): readonly QuestionRow[];
  claim(
    claim: Claim,
  ): Promise<
    | { readonly kind: "new" }
    | { readonly kind: "known"; readonly outcome: ClaimOutcome | null }
    | WriteFailure
  >;
  refuse(key: ClaimKey, why: Refusal, at: Millis): Promise<Done>;
  /** A claim that was refused, with its words; null for any other (D7). */
  refused(key: ClaimKey): Claim | null;
  /** Claims that were stored but neither accepted nor refused when the process ended. */
  openClaims(): readonly Claim[];
  /** Conversations whose phase is transient: they are woken at start (BED-007). */
  unsettled(): readonly ConversationId[];
  /** Newest first; sub-agents left out (BED-009). `before`: id of the last one seen. */
  list(limit: number, before: ConversationId | null, which?: Listed): readonly Stored[];
  /** Its sub-agents, by id: earlier ones first (BED-009). */
  agents(id: ConversationId): readonly ConversationId[];
  trace(id: ConversationId): Iterable<TraceRow>;
  /** The state the conversation began with, for replay (L12). */
  initial(id: ConversationId): State | null;
  /** Writes what has been handed over, then takes nothing more. */
  close(): Promise<void>;
}

/** Pictures and files by content hash. */
export interface Blobs {
  put(bytes: Uint8Array): Promise<{ readonly kind: "stored"; readonly hash: string } | WriteFailure>;
  get(hash: string): Promise<Buffer | null>;
  /** Gone from the disk; nothing where it was not there. */
  remove(hash: string): Promise<void>;
}

export interface ModelRequest {
  readonly conversation: ConversationId;
  readonly model: string;
  readonly prefix: Prefix;
  readonly messages: readonly PromptMessage[];
  /** Longest answer that may be paid for, in tokens; absent where nothing but the model bounds it. */
  readonly maxTokens?: number;
}

export interface ModelHooks {
  readonly signal: AbortSignal;
  /** Text as it streams, the new part only. */
  readonly onText: (delta: string) => void;
  /** Nothing was said for a minute; false takes it back. */
  readonly onSilent?: (silent: boolean) => void;
}

export type ModelOutcome =
  | {
      readonly kind: "answered";
      /** Tool uses only where `stop` is `tools`. */
      readonly blocks: readonly AnswerBlock[];
      readonly stop: Stop;
      readonly usage: Usage;
    }
  /** `usage`: what the provider had counted when it ended; absent where it had not said. */
  | { readonly kind: "failed"; readonly failure: Failure; readonly usage?: Usage }
  | { readonly kind: "aborted"; readonly usage?: Usage };

export interface Model {
  /** One attempt; retry belongs to the core (BED-006). */
  respond(request: ModelRequest, hooks: ModelHooks): Promise<ModelOutcome>;
  /** Context window in tokens; the smallest known for an unknown model (BED-022). */
  window(model: string): number;
}

/** A conversation as lists and headers show it. */
export interface Overview {
  readonly conversation: Conversation;
  readonly state: State;
}

export interface Detail extends Overview {
  readonly posts: readonly PostRow[];
  readonly question: QuestionRow | null;
  readonly status: Status | null;
  /** Text streamed so far by the request in flight; empty when none. */
  readonly live: string;
}

/** What a subscriber hears, in order. Posts come after the commit that made them. */
export type Change =
  | {
      readonly kind: "state";
      readonly overview: Overview;
      readonly status: Status | null;
      readonly question: QuestionRow | null;
      /** Somebody has just given it another name. */
      readonly renamed?: true;
    }
  | { readonly kind: "posts"; readonly rows: readonly PostRow[] }
  /** Cumulative text of the request in flight; empty when it is over. */
  | { readonly kind: "live"; readonly request: EffectId | null; readonly text: string }
  /** One line about long work before the model is asked (a clone). */
  | { readonly kind: "progress"; readonly line: string | null }
  /** It was removed; nothing more comes. */
  | { readonly kind: "gone" };

export type CreateResult = { readonly kind: "created"; readonly overview: Overview } | WriteFailure;

export type SayResult =
  | { readonly kind: "accepted" }
  | { readonly kind: "duplicate" }
  | { readonly kind: "refused"; readonly why: Refusal }
  | { readonly kind: "unknown" }
  | WriteFailure;

export type ActResult =
  | { readonly kind: "done" }
  | {
      readonly kind: "refused";
      readonly why: Refusal;
      readonly by: PersonId | null;
      readonly at: Millis | null;
    }
  | { readonly kind: "unknown" }
  | WriteFailure;

export type ActRequest =
  | { readonly kind: "stop"; readonly by: PersonId; readonly why?: StopCause }
  | (Message & {
      readonly kind: "stopAndSend";
      readonly speaker: Speaker;
      /** The refused message that is sent after all; it is taken once. */
      readonly claim?: ClaimKey;
    })
  | { readonly kind: "restrict"; readonly by: PersonId }
  /** Puts the question of the upgrade before people. */
  | { readonly kind: "unrestrict"; readonly by: Speaker }
  | { readonly kind: "retry"; readonly speaker: Speaker }
  /** The denials of the day hold back nothing more. */
  | { readonly kind: "askAgain"; readonly by: Speaker }
  /** Ask for the summary with which it goes on in a new thread (BED-023). */
  | { readonly kind: "continue"; readonly by: Speaker }
  /** Go on from an exhausted conversation (BED-021). */
  | { readonly kind: "move"; readonly seed: SeedChoice; readonly by: Speaker }
  | { readonly kind: "mode"; readonly mode: string; readonly reason: string; readonly by: PersonId }
  | { readonly kind: "safeMode"; readonly on: boolean; readonly by: Speaker }
  | { readonly kind: "grant"; readonly categories: readonly Category[]; readonly by: Speaker }
  | {
      readonly kind: "decide";
      /** Wire id of the question (D10). */
      readonly question: string;
      readonly choice: Choice;
      readonly by: Speaker;
      readonly comment: string | null;
    };

/** All conversations, as surfaces use them. Asynchronous members settle after the commit, never after the work. */
export interface Bot extends Shelf<ActResult> {
  readonly boot: string;
  readonly confinement: Confinement;
  create(request: {
    readonly surface: string;
    readonly repo: Repo;
    readonly title: string;
    readonly by: PersonId;
    /** The thread of `surface` that it lives in; `conflict` where another conversation does. */
    readonly thread?: Place;
    /** Of its channel. */
    readonly instructions?: Instructions;
  }): Promise<CreateResult>;
  say(claim: Omit<Claim, "at">): Promise<SayResult>;
  act(id: ConversationId, request: ActRequest): Promise<ActResult>;
  /** Takes words back: settles when they are gone, also from the disk. Stops the turn that worked with them. */
  forget(id: ConversationId, request: Forgetting): Promise<ActResult>;
  /** The same of all that somebody said, in every conversation. */
  readonly forgetPerson: ForgetPerson<WriteFailure>;
  /** A message that was refused, for *Stop and send* (D7); null where there is none. */
  refusedClaim(key: ClaimKey): Claim | null;
  list(limit: number, before: ConversationId | null, which?: Listed): readonly Overview[];
  read(id: ConversationId): Promise<Detail | null>;
  /** What the conversation's repository says about how to work in it; null where it says nothing (9, item 4). */
  guidance(id: ConversationId): Promise<Guidance | null>;
  /** How its repository's set-up stands; null where it has none, or nobody has looked at its commit yet. */
  setUp(id: ConversationId): Promise<SetUpStanding | null>;
  /** The sub-agents that it has started, earlier ones first. */
  agents(id: ConversationId): readonly Overview[];
  posts(id: ConversationId, afterRevision: number): readonly PostRow[];
  words(ids: readonly MessageId[]): ReadonlyMap<MessageId, Words>;
  trace(id: ConversationId): Iterable<TraceRow> | null;
  /** Every change from now on; returns the way to stop. Listeners must not throw. */
  subscribe(id: ConversationId, listener: (change: Change) => void): () => void;
  /** SIGTERM: takes no new work, lets commits finish, says so in busy threads, ends what runs; at most 4 s. */
  close(): Promise<void>;
}
