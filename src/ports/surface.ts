/** The deliverer's interface to chat platforms (D19). No member throws or rejects; failures of a platform are values. */

import type { ConversationId, MessageId, Millis, PersonId } from "../machine/id.ts";
import type { Permission } from "../machine/vocabulary.ts";
import type { Citation } from "../text/citation.ts";
import type { CallActivity, FindCallWording } from "../thread/call-text.ts";
import type { Action, OpenTurn, Post, ThreadStatus } from "../thread/post.ts";
import type { StoredContent } from "../thread/prompt.ts";
import type { Language } from "../i18n/say.ts";
import type { Conversation } from "./conversation.ts";
import type { Done } from "./host.ts";
import type { FeatureAction, Judgement } from "./questions.ts";
import type { QuestionRow } from "./store.ts";

export interface Thread {
  readonly conversation: ConversationId;
  readonly surface: string;
  readonly place: string;
  /** Platform id of the thread's first message. */
  readonly root: string;
}

export interface Content {
  /** `turn`: the message of a turn with its buttons. `answer`: messages before or after that one. */
  readonly tone: "answer" | "turn" | "question" | "notice" | "status";
  /** The host's own text in the platform's markup. Displayed above `text`, which cannot imitate it. */
  readonly lead?: string;
  /** Markdown, made safe by the platform's renderer and within its limits; may be empty below a lead. */
  readonly text: string;
  readonly plain?: true;
  readonly below?: readonly Below[];
  readonly buttons: readonly Button[];
  /** Message that this one answers, for platforms that display the reference. */
  readonly reply?: Reply;
  /** Whether the next message continues this text, which never changes again. */
  readonly isFull?: true;
  /** Files of the message, which is then an upload; at least one if present. */
  readonly files?: readonly FilePart[];
}

export interface Reply {
  readonly to: string | null;
  readonly person: PersonId;
  /** Whether the message mentions the person, after a long wait or because the person has to act. */
  readonly calls: boolean;
}

export type Below =
  /** The host's own small print, in the platform's markup. */
  | { readonly kind: "host"; readonly text: string }
  /** Markdown, like `text`. */
  | { readonly kind: "text"; readonly text: string }
  /** Steps of a turn as plain text, for platforms that can collapse them. */
  | { readonly kind: "steps"; readonly title: string; readonly rows: readonly StepRow[] };

export interface StepRow {
  readonly title: string;
  readonly detail: string;
  readonly failed: boolean;
}

export interface FilePart {
  /** ASCII letters, digits, `.`, `_` and `-`, which every platform accepts unchanged. */
  readonly name: string;
  readonly title?: string;
  readonly mediaType: string;
  readonly source:
    | { readonly kind: "blob"; readonly hash: string }
    | { readonly kind: "text"; readonly text: string };
}

export interface Button {
  readonly action:
    | Action
    | Exclude<Judgement, "why">
    | "stop"
    | "steps"
    | "deeper"
    | "discard_comment"
    | "maintainer"
    | "remove_waiting"
    | FeatureAction;
  readonly label: string;
  /** Wire id of a question, turn of its steps, answer of feedback, otherwise the conversation (D10). */
  readonly value: string;
  /** Number of the commits of a draft that the button applies, or of the agent's choice that it selects. */
  readonly first?: number;
  /** Text for screen readers, if the label is not sufficient. */
  readonly spoken?: string;
  /** Set on a denying button: label of the button next to it that asks for a reason first. */
  readonly withWords?: string;
}

/** One message of a thread. A post has one or more pieces. When a post grows, its full pieces never change (D22). */
export interface MessagePiece {
  /** `POST#N`; unique within the conversation and stable. */
  readonly key: string;
  readonly content: Content;
  readonly final: boolean;
}

export interface RenderScene {
  readonly conversation: Conversation;
  readonly words: ReadonlyMap<MessageId, StoredContent>;
  readonly looks: FindCallWording;
  readonly sources?: ReadonlyMap<MessageId, string>;
  /** The pending question, whose wire id is in the values of its buttons. */
  readonly question: QuestionRow | null;
  /** Set if the host has several models and posts name the one that answered. */
  readonly namesModels?: true;
  readonly firstModel?: string;
}

export interface CheckedPrefix {
  /** In UTF-16 code units. */
  readonly upTo: number;
  readonly citations: readonly Citation[];
  /** The only addresses in the part that may become links. */
  readonly links: readonly string[];
}

export interface Progress {
  readonly conversation: ConversationId;
  readonly status: ThreadStatus;
  /** Action of the running tool, masked; absent if no tool runs. */
  readonly doing?: CallActivity;
  readonly live: string;
  readonly looked?: CheckedPrefix;
  readonly permission: Permission;
  readonly steps?: number;
  /** Duration of the current action, if it is long enough to be displayed; absent or 0 otherwise. */
  readonly lasts?: Millis;
  readonly asker: PersonId | null;
  readonly language?: Language;
  /** Set if the answer is reviewed first. Before that, the answer and all findings for it must not be displayed. */
  readonly reviewed?: true;
}

/** Pure: the same post in the same scene results in the same pieces in every process. */
export interface Renderer {
  post(post: Post, scene: RenderScene, limits: Limits): readonly MessagePiece[];
  /** Text in flight has the id LIVE. `isLate`: the requester has waited for long. */
  open(turn: OpenTurn, scene: RenderScene, limits: Limits, isLate: boolean): readonly MessagePiece[];
  progress(progress: Progress, limits: Limits): Content;
  /** Plain text after the bot's name, as in `is running bash`. */
  hint(progress: Progress): string;
  /** Replaces `content`, without files, after a permanent refusal by the platform, or by the host if `own` is set. */
  refused(why: string, content: Content, own?: boolean): Content;
  masked(count: number): Below;
  /** Adds a sentence that the message may have been sent before. */
  repeated(content: Content): Content;
}

export type Operation = {
  readonly thread: Thread;
  readonly wire: string;
} /** `isOpen`: set while the message's text is still being written. */ & (
  | { readonly kind: "send"; readonly hash: string; readonly content: Content; readonly isOpen?: true }
  | { readonly kind: "edit"; readonly id: string; readonly hash: string; readonly content: Content }
  | { readonly kind: "finish"; readonly id: string; readonly hash: string; readonly content: Content }
  /** A message with files. Edits do not change the files. */
  | {
      readonly kind: "upload";
      readonly hash: string;
      readonly content: Content;
      readonly files: readonly FileBytes[];
    }
  | { readonly kind: "delete"; readonly id: string }
  /** `id` is null the first time. `progress`: source of `content`, for platforms with messages that grow. */
  | {
      readonly kind: "status";
      readonly id: string | null;
      readonly content: Content;
      readonly progress?: Progress;
    }
);

export interface FileBytes extends Omit<FilePart, "source"> {
  readonly bytes: Uint8Array;
}

export type SendFailure =
  /** Not applied. The route may be retried after `retryAfter`. */
  | { readonly kind: "throttled"; readonly retryAfter: Millis }
  /** The thread, its channel or the message was deleted or is closed to Parley. */
  | { readonly kind: "gone"; readonly what: "thread"; readonly why: string }
  /** `isReplaced`: Parley removed the message to post another one instead. */
  | { readonly kind: "gone"; readonly what: "message"; readonly why: string; readonly isReplaced?: true }
  /** `permanent`: the same content will be refused again. `fault`: Parley's own code failed; the platform was not called. */
  | {
      readonly kind: "refused";
      readonly why: string;
      readonly permanent: boolean;
      readonly fault?: true;
    }
  /** No acknowledgment arrived, so the call may have been applied. */
  | { readonly kind: "unknown"; readonly why: string };

export const whyOf = (trouble: SendFailure, platform = "the platform"): string =>
  trouble.kind === "throttled" ? `${platform} asks to wait` : trouble.why;

export const mayPass = (trouble: SendFailure): boolean =>
  trouble.kind === "throttled" ||
  trouble.kind === "unknown" ||
  (trouble.kind === "refused" && !trouble.permanent);

/**
 * `lasts`: time limit for changes of a progress message. Afterwards a new message replaces the old one. `wait`: time until the
 * platform accepts the next change of the message, if it reports one.
 */
export type SendOutcome =
  | { readonly kind: "done"; readonly id: string; readonly lasts?: Millis; readonly wait?: Millis }
  | SendFailure;

export interface PlatformMessage {
  readonly id: string;
  /** Null for a progress message on a platform that accepts no key in such a message. */
  readonly wire: string | null;
  readonly hash: string | null;
}

export type PostedMessages =
  | { readonly kind: "seen"; readonly messages: readonly PlatformMessage[] }
  | SendFailure;

/** `begin`: a message that grows in the platform's own way. `finish`: the last change of a message. `show`: progress. */
export type CallKind = "begin" | "send" | "upload" | "edit" | "finish" | "show" | "delete" | "read" | "hint";

/** Calls that a platform counts together: maximum number in a row, and the time to earn one more. */
export interface Budget {
  readonly name: string;
  readonly burst: number;
  readonly every: Millis;
  /** Set if at most `burst` calls may be made within any such time; a call is available again after it. */
  readonly within?: Millis;
}

export interface Limits {
  /** Maximum length of one message's text in `units`: UTF-16 code units, or bytes of UTF-8. */
  readonly text: number;
  readonly units: "utf16" | "bytes";
  readonly observes: boolean;
  /** Returns the budget that a call uses. `id`: message that the call changes. */
  budgetOf(call: CallKind, thread: Thread, id: string | null): Budget;
  /** Whether a message that grows in the platform's own way may be posted in the thread for `person`. */
  begins(thread: Thread, person: PersonId | null): boolean;
  readonly parallel: number;
  /** Returns how long a turn works before a message shows it. Until then, hints show it. */
  patienceOf(thread: Thread): Millis;
  readonly hintLasts: Millis;
  /** Returns how long a turn works before its first hint, if the platform itself shows the work that long; absent: 0. */
  hintAfter?(thread: Thread): Millis;
  /** Minimum and maximum time between two edits of a growing message. */
  readonly editEvery: Millis;
  readonly editAtMost: Millis;
  /** Minimum time between two edits if many messages grow on one budget, whatever it allows; absent: `editEvery`. */
  readonly editShared?: Millis;
  /** Calls of one route share a Retry-After. */
  routeOf(call: CallKind, thread: Thread, id: string | null): string;
}

export interface Addressee {
  readonly place: string;
  readonly root: string | null;
  readonly person: string;
}

/** Plain text, which the adapter escapes. */
export interface PrivateNote {
  readonly text: string;
  readonly buttons: readonly NoteButton[];
  /** Set if the note must not notify the person, in a channel that others read too. */
  readonly quiet?: true;
}

export interface NoteButton {
  readonly action:
    | "stop"
    | "stop_and_send"
    | "send_when_done"
    | "add_to_turn"
    | "remove_waiting"
    | "answer_again"
    | "why"
    | FeatureAction;
  readonly label: string;
  readonly value: string;
}

export interface NoteKey {
  /** Equal at every attempt, so that a platform with keys posts the note once. */
  readonly key: string;
  /** Platform id of the previous note, which is removed once this one is posted; null if there is none. */
  readonly replaces: string | null;
  /** Set if an existing message with this key must be updated, because an earlier reply may have been sent with it. */
  readonly renews?: true;
}

export interface Surface {
  /** Whether the thread is writable now. Called again before a deleted or closed thread is retried. */
  open(thread: Thread): Promise<SendOutcome>;
  apply(operation: Operation): Promise<SendOutcome>;
  /** Shows the current action silently; null removes it. A hint ends with the next message. Failures are not repeated. */
  hint(thread: Thread, text: string | null): Promise<SendOutcome>;
  /** Returns Parley's messages after `since`. `sought`: keys, for platforms whose messages carry only a short mark of a key. */
  observe(thread: Thread, since: string | null, sought: readonly string[]): Promise<PostedMessages>;
  /** Sends privately if possible. The id is empty if the platform removes the message. `once`: null if never repeated. */
  answer(to: Addressee, note: PrivateNote, once: NoteKey | null): Promise<SendOutcome>;
  readonly limits: Limits;
}

/** Written before the call and after its result. */
export interface DeliveryRow {
  readonly key: string;
  /** Key of the message's post; STATUS_POST for progress. */
  readonly post: string;
  /** Random key in the message. A restored database therefore matches no later message (D10). */
  readonly wire: string;
  readonly id: string | null;
  /** SHA-256 of the content that was sent last; null if unknown. */
  readonly hash: string | null;
  readonly state: "planned" | "sending" | "sent" | "unknown" | "gone";
}

/** Progress belongs to no post of the view. */
export const STATUS_POST = "status";

/**
 * Part of the key of a row of STATUS_POST whose message was sent twice. After a minute, the platform is asked for a duplicate,
 * which would be after the message with the row's id. A thread with such a row counts as complete.
 */
export const TWIN_MARK = "/twin/";

export interface ThreadRow extends Thread {
  readonly delivered: number;
}

export interface Threads {
  /** Binds a conversation to its thread once; `conflict` if either is already bound. */
  bind(thread: Thread): Promise<Done>;
  thread(conversation: ConversationId): ThreadRow | null;
  find(surface: string, place: string, root: string): ThreadRow | null;
  /** Returns every conversation that has or had the thread; the current one is last. */
  lived(surface: string, place: string, root: string): readonly ConversationId[];
  /** Finds a thread by its root alone, on platforms that never reuse message ids. */
  rooted(surface: string, root: string): ThreadRow | null;
  /** Returns channels with one conversation and no threads (direct messages), the most recent first. */
  direct(surface: string, limit: number): readonly string[];
  /** Returns threads of a connection that may differ from the stored state, found by index. */
  behind(surface: string): readonly ThreadRow[];
}

interface KnownThreads {
  /** Returns the roots of all threads in a channel that have or had a conversation. */
  roots(surface: string, place: string): readonly string[];
  /** The newest first, without direct messages. */
  newest(surface: string, limit: number): readonly Pick<Thread, "place" | "root">[];
}

interface Deliveries {
  /** In the order in which the rows were first written. */
  rows(conversation: ConversationId, posts: readonly string[]): readonly DeliveryRow[];
  /** Returns the newest message with a known id that was first written before `key`; null if there is none. */
  before(conversation: ConversationId, key: string): string | null;
  wires(conversation: ConversationId): readonly string[];
  /** Inserts or replaces by key. The thread counts as stale from then on. */
  put(conversation: ConversationId, row: DeliveryRow): Promise<Done>;
  drop(conversation: ConversationId, key: string): Promise<Done>;
  /**
   * Posts up to `revision` are delivered. The thread stays stale if there are newer posts or progress messages. If a turn ended
   * with that revision, all messages up to here are answered, and catch-up starts after them.
   */
  settle(conversation: ConversationId, revision: number): Promise<Done>;
}

export interface Ledger extends Threads, KnownThreads, Deliveries {}
