import type { Effect } from "../machine/effect.ts";
import type { Event } from "../machine/event.ts";
import type { ConversationId, MessageId, Millis, PersonId, QuestionId } from "../machine/id.ts";
import type { Refusal } from "../machine/refusal.ts";
import type { State } from "../machine/state.ts";
import type { Entry } from "../machine/transcript.ts";
import type { QuestionSpec, Choice } from "../machine/vocabulary.ts";
import type { Post } from "../thread/post.ts";
import type { AttachedFile, TranscriptMessage, StoredContent } from "../thread/prompt.ts";
import type { Claim, ClaimKey, ClaimOutcome } from "./claims.ts";
import type { Base, Conversation, ListState, Place, Prefix } from "./conversation.ts";
import type { ErasableTexts, ErasableRows, Erasure, VersionRow } from "./erasure.ts";
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
  /** Texts of the event, stored once and named by the entries (D8). */
  readonly words: readonly { readonly id: MessageId; readonly words: StoredContent }[];
  /** Posts of this step that may be new or changed: inserted, or replaced by key if different. */
  readonly posts: readonly Post[];
  /** One question may end and the next begin in the same step. */
  readonly questions: readonly QuestionChange[];
  /** The inbox row that this step answers (D20). */
  readonly claim: ClaimKey | null;
  /** Claim of an edit, stored with the step that accepts the edit. */
  readonly version?: Claim;
  readonly back?: boolean;
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
  /** Grants are always empty here, because they are never stored (C27). */
  readonly state: State;
  /** Entries of the latest turn, for `view` and `turnPost`. Read on each access, because there may be many. */
  readonly turn: readonly Entry[];
}

interface ConversationRows {
  /** `conflict` if another conversation has the thread. */
  create(
    conversation: Conversation,
    initial: State,
    prefix: Prefix,
    thread?: Place,
  ): Promise<{ readonly kind: "created" } | WriteFailure>;
  /** `known`: data in memory, which is not read again. */
  load(id: ConversationId, known?: Omit<StoredConversation, "turn">): StoredConversation | null;
  setBase(id: ConversationId, base: Base): Promise<Done>;
  setTitle(id: ConversationId, title: string, by: PersonId | null): Promise<Done>;
  prefix(hash: string): Prefix | null;
  /** Returns conversations in a transient phase, which are woken at the start (BED-007). */
  unsettled(): readonly ConversationId[];
  /** Newest first, without sub-agents (BED-009). `before`: id of the last entry on the previous page. */
  list(
    limit: number,
    before: ConversationId | null,
    which?: ListState,
  ): readonly Pick<StoredConversation, "conversation" | "state">[];
  /** Earlier sub-agents come first (BED-009). */
  agents(id: ConversationId): readonly ConversationId[];
}

interface TranscriptRows {
  /** `after`: number of entries to skip. */
  history(id: ConversationId, after: number): readonly TranscriptMessage[];
  told(id: ConversationId, turn: number): readonly TranscriptMessage[];
  words(ids: readonly MessageId[]): ReadonlyMap<MessageId, StoredContent>;
  /** Returns the files of messages, also of the conversations that this one continues. */
  attached(id: ConversationId): readonly AttachedFile[];
  posts(id: ConversationId, afterRevision: number): readonly PostRow[];
  /** Newest first, starting before an ordinal if one is passed. Posts are read in small batches as they are consumed. */
  latestPosts(id: ConversationId, before?: number): Iterable<PostRow>;
  post(id: ConversationId, key: string): PostRow | null;
  postsWith(id: ConversationId, messages: readonly MessageId[]): readonly PostRow[];
  trace(id: ConversationId): Iterable<TraceRow>;
  /** Returns the first state of the conversation, for replay (L12). */
  initial(id: ConversationId): State | null;
}

interface StoredQuestions {
  question(wire: string): QuestionRow | null;
  pendingQuestion(id: ConversationId): QuestionRow | null;
  /** Oldest first. */
  waiting(): readonly QuestionRow[];
}

interface ClaimRows {
  claim(
    claim: Claim,
  ): Promise<
    | { readonly kind: "new" }
    | { readonly kind: "known"; readonly outcome: ClaimOutcome | null }
    | WriteFailure
  >;
  refuse(key: ClaimKey, why: Refusal, at: Millis): Promise<Done>;
  /** Null unless the claim was refused (D7). */
  refused(key: ClaimKey): Claim | null;
  /** Returns the message of an accepted claim; null if there is none. */
  claimed(key: ClaimKey): MessageId | null;
  /** Returns the platform's id of a person's message; null if there is none that could be deleted. */
  source(id: ConversationId, message: MessageId): string | null;
  openClaims(): readonly Claim[];
  /** Returns the claims of a message, the oldest first: the first one, and those of its edits (`KEY/…`). */
  versions(key: ClaimKey): readonly VersionRow[];
  /** Replaces a claim's text, and the text of its message, which no request has contained. */
  reword(claim: Claim, words: Commit["words"]): Promise<Done>;
}

export interface Store
  extends ConversationRows,
    TranscriptRows,
    StoredQuestions,
    ClaimRows,
    ErasableTexts,
    RemovalStore,
    ErasableRows {
  /** Writes everything or nothing (idea 2). Returns the changed ledger rows. */
  commit(
    commit: Commit,
  ): Promise<{ readonly kind: "committed"; readonly posts: readonly PostRow[] } | WriteFailure>;
  /** Completes the writes so far, then accepts no more. */
  close(): Promise<void>;
}

export interface Blobs {
  put(bytes: Uint8Array): Promise<{ readonly kind: "stored"; readonly hash: string } | WriteFailure>;
  get(hash: string): Promise<Uint8Array | null>;
  /** No effect if the blob is missing. */
  remove(hash: string): Promise<Done>;
}

export type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Named byte objects that hosts share in addition to their database. Each object exists completely or not at all. Nothing
 * rejects.
 */
export interface Objects {
  /** Stores under a name such as `blobs/…` and replaces an existing object. An error of `bytes` is a failure, too. */
  put(name: string, bytes: Bytes): Promise<Done>;
  /** `take` is called again from the first byte if the connection breaks. An error of `take` is a failure, too. */
  get(
    name: string,
    take: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<{ readonly kind: "got" } | { readonly kind: "missing" } | WriteFailure>;
  list(prefix: string): Promise<{ readonly kind: "names"; readonly names: readonly string[] } | WriteFailure>;
  /** No effect if the object is missing. A name that ends with a slash means all objects below it. */
  remove(name: string): Promise<Done>;
}

export interface TraceRow {
  readonly seq: number;
  readonly at: Millis;
  readonly event: Event;
  readonly labels: readonly string[];
  readonly before: State["phase"]["kind"];
  readonly after: State["phase"]["kind"];
  /** Effects of the event in their form at that time (`Effect`). */
  readonly effects: readonly unknown[];
  readonly actor: PersonId | null;
  /** SHA-256 of the canonical state after the event (D9). */
  readonly hash: string;
  /** Version of the core that handled the event. */
  readonly core: string;
}

export interface RemovalStore {
  setArchived(id: ConversationId, archived: boolean): Promise<Done>;
  /** Hides the conversation, its sub-agents and its thread in one step. `removeSome` deletes the rows later. */
  hide(id: ConversationId): Promise<Done>;
  hidden(): readonly ConversationId[];
  /** Deletes a limited number of rows of hidden conversations. After the last call, the file contains no data of them. */
  removeSome(): Promise<{ readonly kind: "removed"; readonly more: boolean } | WriteFailure>;
  /** Returns hashes of some files that only removed rows named. */
  looseBlobs(): Promise<{ readonly kind: "loose"; readonly hashes: readonly string[] } | WriteFailure>;
  dropBlobs(hashes: readonly string[]): Promise<Done>;
  /** Returns conversations of people without events since `before`, the oldest first, archived ones included. */
  untouched(before: Millis): readonly ConversationId[];
}
