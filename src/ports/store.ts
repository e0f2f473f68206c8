/** What is kept, and the one write of a step. */

import type { Effect } from "../machine/effect.ts";
import type { Event } from "../machine/event.ts";
import type { ConversationId, MessageId, Millis, PersonId, QuestionId } from "../machine/id.ts";
import type { Refusal } from "../machine/refusal.ts";
import type { State } from "../machine/state.ts";
import type { Entry } from "../machine/transcript.ts";
import type { QuestionSpec, Choice } from "../machine/words.ts";
import type { Post } from "../thread/post.ts";
import type { TranscriptMessage, StoredContent } from "../thread/prompt.ts";
import type { Claim, ClaimKey, ClaimOutcome } from "./claims.ts";
import type { Base, Conversation, ListState, Place, Prefix } from "./conversation.ts";
import type { ErasableTexts, ErasableRows, Erasure } from "./erasure.ts";
import type { Done, WriteFailure } from "./host.ts";
import type { QuestionChange } from "./questions.ts";

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
  readonly words: readonly { readonly id: MessageId; readonly words: StoredContent }[];
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
  readonly type: QuestionSpec["kind"];
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

export interface StoredConversation {
  readonly conversation: Conversation;
  /** Grants are always empty here: they are never stored (C27). */
  readonly state: State;
  /** The entries of its latest turn: what `view` and `turnPost` need. Read when they are looked at: there may be many. */
  readonly turn: readonly Entry[];
}

/** Conversations as they are listed and loaded. */
interface ConversationRows {
  /** `thread`: where it lives on a chat platform; `conflict` where another conversation lives there. */
  create(
    conversation: Conversation,
    initial: State,
    prefix: Prefix,
    thread?: Place,
  ): Promise<{ readonly kind: "created" } | WriteFailure>;
  /** `known`: what is in hand of it is not read again. */
  load(id: ConversationId, known?: Omit<StoredConversation, "turn">): StoredConversation | null;
  setBase(id: ConversationId, base: Base): Promise<Done>;
  /** `by`: whoever renamed it; null where it is named by what was said. */
  setTitle(id: ConversationId, title: string, by: PersonId | null): Promise<Done>;
  prefix(hash: string): Prefix | null;
  /** Conversations whose phase is transient: they are woken at start (BED-007). */
  unsettled(): readonly ConversationId[];
  /** Newest first; sub-agents left out (BED-009). `before`: id of the last one seen. */
  list(
    limit: number,
    before: ConversationId | null,
    which?: ListState,
  ): readonly Pick<StoredConversation, "conversation" | "state">[];
  /** Its sub-agents, by id: earlier ones first (BED-009). */
  agents(id: ConversationId): readonly ConversationId[];
}

/** What was said and shown, and how it came about. */
interface TranscriptRows {
  /** The transcript with its words, from `after` (number of entries to leave out) on. */
  history(id: ConversationId, after: number): readonly TranscriptMessage[];
  /** The entries of one turn, with their words. */
  told(id: ConversationId, turn: number): readonly TranscriptMessage[];
  words(ids: readonly MessageId[]): ReadonlyMap<MessageId, StoredContent>;
  posts(id: ConversationId, afterRevision: number): readonly PostRow[];
  /** Newest first, from before an ordinal on where one is given; a few are read at a time, as far as is looked. */
  latestPosts(id: ConversationId, before?: number): Iterable<PostRow>;
  post(id: ConversationId, key: string): PostRow | null;
  /** Posts that show one of these messages. */
  postsWith(id: ConversationId, messages: readonly MessageId[]): readonly PostRow[];
  trace(id: ConversationId): Iterable<TraceRow>;
  /** The state the conversation began with, for replay (L12). */
  initial(id: ConversationId): State | null;
}

interface StoredQuestions {
  question(wire: string): QuestionRow | null;
  pendingQuestion(id: ConversationId): QuestionRow | null;
  /** Every pending question, oldest first. */
  waiting(): readonly QuestionRow[];
}

/** What arrived, until it is accepted or refused. */
interface ClaimRows {
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
  /** The platform's id of what somebody said; null where there is none that could be deleted. */
  source(id: ConversationId, message: MessageId): string | null;
  /** Claims that were stored but neither accepted nor refused when the process ended. */
  openClaims(): readonly Claim[];
}

export interface Store
  extends ConversationRows,
    TranscriptRows,
    StoredQuestions,
    ClaimRows,
    ErasableTexts,
    RemovalStore,
    ErasableRows {
  /** All of it or nothing (idea 2). Answers the ledger rows it changed. */
  commit(
    commit: Commit,
  ): Promise<{ readonly kind: "committed"; readonly posts: readonly PostRow[] } | WriteFailure>;
  /** Writes what has been handed over, then takes nothing more. */
  close(): Promise<void>;
}

/** Pictures and files by content hash. */
export interface Blobs {
  put(bytes: Uint8Array): Promise<{ readonly kind: "stored"; readonly hash: string } | WriteFailure>;
  get(hash: string): Promise<Uint8Array | null>;
  /** Gone from the disk, or from where hosts share it; nothing where it was not there. */
  remove(hash: string): Promise<Done>;
}

export type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Bytes by name, where several hosts share them beside their database: each there as a whole or not at all. Nothing rejects. */
export interface Objects {
  /** Under a name such as `blobs/…`; what was there is replaced. What `bytes` throws is a failure, too. */
  put(name: string, bytes: Bytes): Promise<Done>;
  /** `take` is called anew, from the first byte on, where the connection broke off. What it throws is a failure, too. */
  get(
    name: string,
    take: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<{ readonly kind: "got" } | { readonly kind: "missing" } | WriteFailure>;
  /** Names that begin so. */
  list(prefix: string): Promise<{ readonly kind: "names"; readonly names: readonly string[] } | WriteFailure>;
  /** Nothing where it was not there. A name that ends with a slash stands for all below it. */
  remove(name: string): Promise<Done>;
}

export interface TraceRow {
  readonly seq: number;
  readonly at: Millis;
  readonly event: Event;
  readonly labels: readonly string[];
  readonly before: State["phase"]["kind"];
  readonly after: State["phase"]["kind"];
  /** What it caused, as it was then (`Effect`). */
  readonly effects: readonly unknown[];
  readonly actor: PersonId | null;
  /** SHA-256 of the canonical state after the event (D9). */
  readonly hash: string;
  /** Version of the core that made it. */
  readonly core: string;
}

/** What taking conversations out of the store needs of it. */
export interface RemovalStore {
  setArchived(id: ConversationId, archived: boolean): Promise<Done>;
  /** It, its sub-agents and its thread are out of sight, in one step; their rows go with `removeSome`. */
  hide(id: ConversationId): Promise<Done>;
  /** Those that are hidden, sub-agents left out. */
  hidden(): readonly ConversationId[];
  /** Removes a bounded number of rows of hidden conversations; after the last of them nothing of it is in the file. */
  removeSome(): Promise<{ readonly kind: "removed"; readonly more: boolean } | WriteFailure>;
  /** Hashes of some files that removed rows named and nobody names any more. */
  looseBlobs(): Promise<{ readonly kind: "loose"; readonly hashes: readonly string[] } | WriteFailure>;
  /** They are gone from the disk. */
  dropBlobs(hashes: readonly string[]): Promise<Done>;
  /** Conversations of people, archived ones too, that nothing happened in since, the oldest first. */
  untouched(before: Millis): readonly ConversationId[];
}
