/**
 * What the deliverer needs of a chat platform and of the ledger, declared on the caller's floor (D19). No member
 * throws or rejects: whatever a platform does is a value.
 */

import type { ConversationId, MessageId, Millis, PersonId } from "../machine/id.ts";
import type { Permission } from "../machine/words.ts";
import type { Citation } from "../text/citation.ts";
import type { CallActivity, FindCallWording } from "../thread/call-text.ts";
import type { Action, OpenTurn, Post, ThreadStatus } from "../thread/post.ts";
import type { StoredContent } from "../thread/prompt.ts";
import type { Language } from "../i18n/say.ts";
import type { Conversation } from "./conversation.ts";
import type { Done } from "./host.ts";
import type { FeatureAction, Judgement } from "./questions.ts";
import type { QuestionRow } from "./store.ts";

/** Where a conversation lives on a chat platform. */
export interface Thread {
  readonly conversation: ConversationId;
  /** Name of the connection. */
  readonly surface: string;
  /** The platform's id of the channel. */
  readonly place: string;
  /** The platform's id of the message that the thread hangs on. */
  readonly root: string;
}

export interface Content {
  /** `turn`: the message of a turn that carries its buttons; `answer`: what goes on from it, or into it. */
  readonly tone: "answer" | "turn" | "question" | "notice" | "status";
  /** The host's own words, in the platform's markup; shown above `text`, which cannot reach into them. */
  readonly lead?: string;
  /** Markdown, made safe for the platform by its renderer, and within its limits; may be empty below a lead. */
  readonly text: string;
  /** The text is shown as it stands, as code: no Markdown is read in it. */
  readonly plain?: true;
  /** What follows the text, in this order. */
  readonly below?: readonly Below[];
  readonly buttons: readonly Button[];
  /** What it answers: platforms that show that beside a message do. */
  readonly reply?: Reply;
  /** The next message goes on from the text, which does not change again. */
  readonly isFull?: true;
  /** Go with the message, which is an upload then; at least one where there are any. */
  readonly files?: readonly FilePart[];
}

export interface Reply {
  /** The platform's id of the message; null where it has none. */
  readonly to: string | null;
  readonly person: PersonId;
  /** That person waited for it long, or has to do something now: the message calls them. */
  readonly calls: boolean;
}

export type Below =
  /** The host's own words, in the platform's markup, in small print. */
  | { readonly kind: "host"; readonly text: string }
  /** Markdown, as the text is. */
  | { readonly kind: "text"; readonly text: string }
  /** What a turn did, for platforms that can fold it away; plain text. */
  | { readonly kind: "steps"; readonly title: string; readonly rows: readonly StepRow[] };

export interface StepRow {
  readonly title: string;
  readonly detail: string;
  readonly failed: boolean;
}

/** A file of a message, as a renderer names it. */
export interface FilePart {
  /** Letters, digits, `.`, `_` and `-` of ASCII: every platform takes it as it is. */
  readonly name: string;
  /** What it is, for people who do not see it; absent where nobody said. */
  readonly title?: string;
  readonly mediaType: string;
  /** Where its bytes are: stored by content hash, or the text itself. */
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
    | FeatureAction;
  readonly label: string;
  /** Wire id of the question for a decision, the turn for its steps, the answer that is judged, else the conversation (D10). */
  readonly value: string;
  /** Of a draft's commits, only the first so many: apart from the button that takes all. */
  readonly first?: number;
  /** For screen readers, where the label alone says too little. */
  readonly spoken?: string;
  /** Of a no: what the button beside it says, which asks for words first. */
  readonly withWords?: string;
}

/** One message of a thread. A post is one or more of them; those that a growing post has filled stay (D22). */
export interface MessagePiece {
  /** `POST#N`; unique within the conversation and stable. */
  readonly key: string;
  readonly content: Content;
  /** False while it may still change. */
  readonly final: boolean;
}

/** What a renderer may look at beside the post. */
export interface RenderScene {
  readonly conversation: Conversation;
  readonly words: ReadonlyMap<MessageId, StoredContent>;
  /** How the calls of each tool are told. */
  readonly looks: FindCallWording;
  /** The platform's ids of what people said; absent: none is known. */
  readonly sources?: ReadonlyMap<MessageId, string>;
  /** The pending question, whose wire id stands on the buttons. */
  readonly question: QuestionRow | null;
  /** The host has several models, and people are told which one answered. */
  readonly namesModels?: true;
  /** The model whose answers the usual one may be asked to better; absent where there is none. */
  readonly firstModel?: string;
}

/** How far a text that is being written is looked up in the repository, and what it cites up to there. */
export interface CheckedPrefix {
  /** UTF-16 code units. */
  readonly upTo: number;
  readonly citations: readonly Citation[];
  /** The only addresses in it that may be links. */
  readonly links: readonly string[];
}

/** What goes on in a conversation while it works. */
export interface Progress {
  readonly conversation: ConversationId;
  readonly status: ThreadStatus;
  /** What the tool that runs does, masked; absent where none runs. */
  readonly doing?: CallActivity;
  /** The text streamed so far by the request in flight. */
  readonly live: string;
  /** How far it is looked up; absent: nothing of it is. */
  readonly looked?: CheckedPrefix;
  readonly permission: Permission;
  /** Of this turn, as far as they have ended; absent where they are not counted. */
  readonly steps?: number;
  /** For how long the same thing has been done, as far as that is worth saying; absent or 0: for a short time. */
  readonly lasts?: Millis;
  /** Whose message set off the turn. */
  readonly asker: PersonId | null;
  /** Of the place; absent: English. */
  readonly language?: Language;
  /** Somebody looks at the answer first: nothing of it, nor of what was found for it, is told before. */
  readonly reviewed?: true;
}

/** Pure: the same post in the same scene is the same pieces in every process. */
export interface Renderer {
  post(post: Post, scene: RenderScene, limits: Limits): readonly MessagePiece[];
  /**
   * What a turn that goes on has said, as far as its message will say it too: pieces of that message. Words of the request in
   * flight are those of LIVE. `isLate`: whoever asked has waited long.
   */
  open(turn: OpenTurn, scene: RenderScene, limits: Limits, isLate: boolean): readonly MessagePiece[];
  /** The one message that shows work in progress. */
  progress(progress: Progress, limits: Limits): Content;
  /** The same as a hint: plain text that follows the bot's name, as in `is running bash`. */
  hint(progress: Progress): string;
  /**
   * Stands in for a piece that cannot be sent: `content`, refused for good by the platform, or, where `own`, by the host. It
   * carries no files.
   */
  refused(why: string, content: Content, own?: boolean): Content;
  masked(count: number): Below;
  /** Says in the message itself that it may have been sent before. */
  repeated(content: Content): Content;
}

export type Operation = {
  readonly thread: Thread;
  /** Carried by the message: the ledger row's `wire`. */
  readonly wire: string;
} /** `isOpen`: begun, because its text is still being written. */ & (
  | { readonly kind: "send"; readonly hash: string; readonly content: Content; readonly isOpen?: true }
  /** The message will change again. */
  | { readonly kind: "edit"; readonly id: string; readonly hash: string; readonly content: Content }
  /** The last content of the message. */
  | { readonly kind: "finish"; readonly id: string; readonly hash: string; readonly content: Content }
  /** A message with files. Edits of it leave them as they are. */
  | {
      readonly kind: "upload";
      readonly hash: string;
      readonly content: Content;
      readonly files: readonly FileBytes[];
    }
  | { readonly kind: "delete"; readonly id: string }
  /** Shows work in progress; `id` is null the first time. `progress`: what `content` is made of, for one that is begun so and grows. */
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
  /** Not applied; the same route may be tried again after `retryAfter`. */
  | { readonly kind: "throttled"; readonly retryAfter: Millis }
  /** The thread (or its channel) or the one message is not there any more, or closed to us. */
  | { readonly kind: "gone"; readonly what: "thread"; readonly why: string }
  /** `isReplaced`: it was taken away for another one to be made in its place. */
  | { readonly kind: "gone"; readonly what: "message"; readonly why: string; readonly isReplaced?: true }
  /**
   * Not applied. `permanent`: the same content will be refused again. `fault`: nothing was asked of the platform, because
   * our own code failed at the content.
   */
  | {
      readonly kind: "refused";
      readonly why: string;
      readonly permanent: boolean;
      readonly fault?: true;
    }
  /** No acknowledgement came: it may have been applied. */
  | { readonly kind: "unknown"; readonly why: string };

/** The reason in words, for the log and for people; no full stop. `platform`: as people call it. */
export const whyOf = (trouble: SendFailure, platform = "the platform"): string =>
  trouble.kind === "throttled" ? `${platform} asks to wait` : trouble.why;

/** Whether the same call may well succeed a moment later. */
export const mayPass = (trouble: SendFailure): boolean =>
  trouble.kind === "throttled" ||
  trouble.kind === "unknown" ||
  (trouble.kind === "refused" && !trouble.permanent);

/**
 * `id` is the platform's id of the message. `lasts`: how long a progress message takes further changes, where it does
 * not take them for ever; a new one takes its place then.
 */
export type SendOutcome =
  | { readonly kind: "done"; readonly id: string; readonly lasts?: Millis }
  | SendFailure;

/** A message of ours that the platform holds. */
export interface PlatformMessage {
  readonly id: string;
  /** Null for progress that the platform lets carry no key: it is one of those that are sought, or left over. */
  readonly wire: string | null;
  /** Of the content it was last given. */
  readonly hash: string | null;
}

export type PostedMessages =
  | { readonly kind: "seen"; readonly messages: readonly PlatformMessage[] }
  | SendFailure;

/** `begin` makes a message that grows in the platform's own way, `send` any other; `finish` changes one for the last time, `show` progress. */
export type CallKind = "begin" | "send" | "upload" | "edit" | "finish" | "show" | "delete" | "read" | "hint";

/** Calls that a platform counts together: how many may follow each other at once, and how long it takes to earn one more. */
export interface Budget {
  readonly name: string;
  readonly burst: number;
  readonly every: Millis;
}

export interface Limits {
  /** Of one message's text, in `units`: UTF-16 code units, or bytes of UTF-8. */
  readonly text: number;
  readonly units: "utf16" | "bytes";
  /** The platform tells which of our messages it holds. */
  readonly observes: boolean;
  /** What a call spends; `id`: of the message that it changes. */
  budgetOf(call: CallKind, thread: Thread, id: string | null): Budget;
  /** A message for that person may be begun in the thread that grows in the platform's own way. */
  begins(thread: Thread, person: PersonId | null): boolean;
  /** Calls in flight together. */
  readonly parallel: number;
  /** How long a turn works before a message shows it: until then hints do. */
  patienceOf(thread: Thread): Millis;
  /** How long a hint stands. */
  readonly hintLasts: Millis;
  /** Shortest and longest time between two edits of one message that shows progress. */
  readonly editEvery: Millis;
  readonly editAtMost: Millis;
  /** Calls of one route share a Retry-After. */
  routeOf(call: CallKind, thread: Thread, id: string | null): string;
}

/** To whom a private reply goes, and where it appears. */
export interface Addressee {
  readonly place: string;
  readonly root: string | null;
  /** The platform's own id of the person. */
  readonly person: string;
}

/** What the host says to one person outside of turns. Plain text: the platform's adapter escapes it. */
export interface PrivateNote {
  readonly text: string;
  readonly buttons: readonly NoteButton[];
}

interface NoteButton {
  readonly action: "stop" | "stop_and_send" | "why";
  readonly label: string;
  readonly value: string;
}

/** Of a note that the ledger owes (D7). */
export interface NoteKey {
  /** The same at every try: a platform that knows it takes the note once. */
  readonly key: string;
  /** The platform's id of the note before it, which goes as soon as this one stands; null where there is none. */
  readonly replaces: string | null;
  /** A message that the key brings back reads so from now on: an earlier reply may have been sent with it. */
  readonly renews?: true;
}

export interface Surface {
  /** Whether the thread can be written now: asked again before a thread that was gone or closed is tried anew. */
  open(thread: Thread): Promise<SendOutcome>;
  apply(operation: Operation): Promise<SendOutcome>;
  /**
   * Says silently what is being done, where the platform shows that beside the thread; null: nothing is. A courtesy: the
   * newest replaces what was said before, a message ends it, and none is given twice.
   */
  hint(thread: Thread, text: string | null): Promise<SendOutcome>;
  /**
   * Our messages in the thread after the message `since`, all of them where it is null. `sought`: the keys that it is
   * about, for a platform whose messages can carry no more than a mark of theirs; messages of others may be left out.
   */
  observe(thread: Thread, since: string | null, sought: readonly string[]): Promise<PostedMessages>;
  /**
   * Says something to one person, seen by nobody else where the platform can do that. The id of what is done is empty
   * where the platform takes it away by itself. `once`: null of a courtesy, which is never repeated.
   */
  answer(to: Addressee, note: PrivateNote, once: NoteKey | null): Promise<SendOutcome>;
  readonly limits: Limits;
}

/** One message as far as we know the platform holds it. Written before the call and after its answer. */
export interface DeliveryRow {
  readonly key: string;
  /** Key of the post it belongs to; STATUS_POST for progress. */
  readonly post: string;
  /** Random, carried by the message, so that a database of yesterday matches no message of today (D10). */
  readonly wire: string;
  /** The platform's id; null before it is known. */
  readonly id: string | null;
  /** SHA-256 of the content that the message was last given; null where that is not known. */
  readonly hash: string | null;
  readonly state: "planned" | "sending" | "sent" | "unknown" | "gone";
}

/** Progress belongs to no post of the view. */
export const STATUS_POST = "status";

/**
 * In the key of a planned row of STATUS_POST: the message before it was sent again, and a minute later the platform is asked
 * whether it carried out the first request, too. The row's id names the message behind which that would stand. A thread that
 * waits for that lacks nothing.
 */
export const TWIN_MARK = "/twin/";

export interface ThreadRow extends Thread {
  /** Posts up to this revision are delivered. */
  readonly delivered: number;
}

/** Where conversations live on chat platforms. */
export interface Threads {
  /** Ties a conversation to its thread, once; `conflict` where either is tied already. */
  bind(thread: Thread): Promise<Done>;
  thread(conversation: ConversationId): ThreadRow | null;
  find(surface: string, place: string, root: string): ThreadRow | null;
  /** Every conversation that lives there, or did and gave the place up: the one that does comes last. */
  lived(surface: string, place: string, root: string): readonly ConversationId[];
  /** The same by the root alone, where a platform never uses its id twice. */
  rooted(surface: string, root: string): ThreadRow | null;
  /** Places that have one conversation and no threads (direct messages), those of late first. */
  direct(surface: string, limit: number): readonly string[];
  /** Threads of a connection that may differ from what is stored, found by index. */
  behind(surface: string): readonly ThreadRow[];
}

/** Threads that may have been deleted on the platform without a word of each. */
interface KnownThreads {
  /** Roots of all threads of a place in which a conversation lives or lived. */
  roots(surface: string, place: string): readonly string[];
  /** Threads in channels of a connection, the newest first; direct messages are left out. */
  newest(surface: string, limit: number): readonly Pick<Thread, "place" | "root">[];
}

/** What their threads hold. */
interface Deliveries {
  /** The rows of these posts, in the order in which they were first written. */
  rows(conversation: ConversationId, posts: readonly string[]): readonly DeliveryRow[];
  /** The newest message with a known id that was first written before `key`; null where there is none. */
  before(conversation: ConversationId, key: string): string | null;
  wires(conversation: ConversationId): readonly string[];
  /** Inserts or replaces by key; the thread counts as behind from then on. */
  put(conversation: ConversationId, row: DeliveryRow): Promise<Done>;
  drop(conversation: ConversationId, key: string): Promise<Done>;
  /**
   * Posts up to `revision` are delivered. The thread stays behind while newer ones or progress messages stand. Where
   * a turn is over with it, what was said up to here is answered, and catching up begins behind it.
   */
  settle(conversation: ConversationId, revision: number): Promise<Done>;
}

export interface Ledger extends Threads, KnownThreads, Deliveries {}
