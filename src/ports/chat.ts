/**
 * What chat surfaces share, declared on the caller's floor: what a platform tells of people and threads, what the
 * shared manners (src/runtime/chat) answer, and the rows they keep. No member throws or rejects.
 */

import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type { ChannelRows, Instructions } from "./channels.ts";
import type { Place, Repo } from "./conversation.ts";
import type { WriteFailure } from "./failure.ts";
import type { ClickAction } from "./questions.ts";
import type { OwedRows } from "./replies.ts";
import type { Addressee, Note } from "./surface.ts";

// ── what arrives ────────────────────────────────────────────────────────────────────────────────────────────

/** Something that the platform sent, before it is acknowledged (D20). */
export interface Arrival {
  /** Unique within the surface: the same thing sent again has the same id. */
  readonly id: string;
  /** Arrivals of one lane are handled in order, lanes beside each other. */
  readonly lane: string;
  /** As the platform sent it: what JSON can say. */
  readonly body: unknown;
  /** Of a message; what is none (a click) is not caught up either. */
  readonly from?: MessagePlace;
  /**
   * Nobody sends it again, or not for long, and nobody is told that it was not stored: where the disk refuses it, it is
   * held in memory until the disk takes it.
   */
  readonly insist?: boolean;
}

/** Where a message stands among what people wrote. */
export interface MessagePlace extends Place {
  /**
   * Its order within the place: of two the longer is later, of two as long the one that sorts later. The same kind of
   * id as `root`, and equal to it where the message may begin a thread.
   */
  readonly position: string;
}

export interface InboxRow extends Omit<Arrival, "insist"> {
  readonly at: Millis;
}

export type Arrived = { readonly kind: "stored" } | { readonly kind: "known" } | WriteFailure;

/** Where something was said. */
export interface Spot {
  readonly place: string;
  /** The message that the thread hangs on; null outside of threads. */
  readonly root: string | null;
  /** One person and the bot, nobody else can read it. */
  readonly direct: boolean;
}

/** A message that a person wrote. */
export interface Said extends Spot {
  /** Of the claim: unique within the surface. */
  readonly id: string;
  /** The platform's id of the message. */
  readonly message: string;
  readonly person: string;
  /** Plain text without the mention of the bot. */
  readonly text: string;
  /** The bot is mentioned, or nobody else could be meant. */
  readonly addressed: boolean;
  /** It stands where many help each other, and nobody who only talks is told anything. */
  readonly forum?: boolean;
  readonly files: readonly SharedFile[];
  /** What the platform shows below the message: unfurled links, quoted messages. Null: it may still add some. */
  readonly shown: readonly Quote[] | null;
  /** The message of the thread that it is about; null where it is about none in particular. */
  readonly about: string | null;
}

/** A file that somebody sent, not fetched yet. */
export interface SharedFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  /** Bytes, as the platform has it. */
  readonly size: number;
  /** Where the platform serves it. */
  readonly url: string;
  /** Who sent it first, where that is not who wrote the message that it came with. */
  readonly author?: string;
}

/** Words that are no instruction of the person who speaks. */
export interface Quote {
  readonly author: string;
  readonly text: string;
  readonly at: Millis;
}

/** A message of a thread as it is read back. */
export interface Earlier extends Quote {
  readonly message: string;
  /** Null where no person wrote it. */
  readonly person: string | null;
  /** The bot wrote it. */
  readonly ours: boolean;
  readonly files: readonly SharedFile[];
  readonly shown: readonly Quote[];
}

/** A click on a button of a post or of a private reply. */
export interface Click extends Spot {
  readonly person: string;
  readonly action: ClickAction;
  /** The button's: wire id of a question, conversation, or claim (D10). */
  readonly value: string;
  /** What a person added to a decision. */
  readonly comment: string | null;
  /** A gesture that may well be meant otherwise: where it changes nothing, nothing is said. */
  readonly quiet: boolean;
}

/** A question that stands in no message of the person: from a command, or about somebody's message. */
export interface Ask {
  /** Unique within the surface: the same question redone has the same. */
  readonly id: string;
  readonly place: string;
  readonly direct: boolean;
  readonly person: string;
  readonly text: string;
  /** The message that it is about, and the thread that this hangs on; null opens a thread. */
  readonly about: { readonly message: string; readonly root: string } | null;
  /** Tells the person alone. */
  readonly reply: (text: string) => Promise<void>;
}

/** `/parley …`: outside of threads. */
export interface Slash {
  readonly id: string;
  readonly place: string;
  readonly direct: boolean;
  readonly person: string;
  readonly text: string;
  readonly reply: (text: string) => Promise<void>;
}

/** A message that was deleted, by whoever wrote it or by a moderator. */
export interface Removed extends Place {
  /** Null where its whole thread was. */
  readonly message: string | null;
  /** When it was written: what quotes of it carry. */
  readonly at: Millis;
}

// ── the platform ────────────────────────────────────────────────────────────────────────────────────────────

/** Who somebody is, as the platform says it at this moment (D1, D2). */
export interface Person {
  readonly id: string;
  /** For quotes and the trace; never decides anything. */
  readonly name: string;
  readonly standing: "member" | "guest" | "external" | "bot" | "deactivated";
  /** Runs the workspace or the server. */
  readonly admin: boolean;
  /** Those of the groups asked for that hold the person. */
  readonly groups: readonly string[];
}

/** Whom PARLEY_APPROVERS names on a platform. */
export type Approver =
  | { readonly kind: "person"; readonly id: string }
  | { readonly kind: "group"; readonly id: string }
  | { readonly kind: "admins" }
  | { readonly kind: "members" };

/** `passing`: it may be read a moment later. */
export type Unread = { readonly kind: "unread"; readonly why: string; readonly passing: boolean };

export type PersonRead = { readonly kind: "person"; readonly person: Person } | Unread;

export type EarlierRead =
  | {
      readonly kind: "messages";
      /** Oldest first. */
      readonly messages: readonly Earlier[];
      /** Older ones were left out. */
      readonly cut: boolean;
    }
  | Unread;

export type TagsRead = { readonly kind: "tags"; readonly tags: readonly string[] } | Unread;

export type Fetched =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  /** `why` goes on after "NAME: ". */
  | { readonly kind: "refused"; readonly why: string };

export type PutResult =
  | { readonly kind: "put"; readonly message: string }
  /** `why` is a sentence for the person. */
  | { readonly kind: "refused"; readonly why: string };

/** The question which repository a place works on. */
export interface Picker {
  /** What was said and waits for it. */
  readonly message: string;
  readonly text: string;
  /** Names of repositories, at most 100. */
  readonly choices: readonly string[];
}

export interface ChatPlatform {
  /** The server in which this happens; null where the platform knows one alone, and in direct messages. */
  readonly server: string | null;
  /** Whether a reply would reach that person alone now. */
  isPrivate(to: Addressee): boolean;
  /** `groups`: those to look into. */
  person(id: string, groups: readonly string[]): Promise<PersonRead>;
  /** How people read a person's or a group's id; the id itself where the platform does not tell. */
  label(id: string): Promise<string>;
  /**
   * Messages of a thread after `since` (all where null) and before `until`: the first, the newest, `limit` of them, and
   * among these `about`, if it was read.
   */
  earlier(
    where: Place,
    range: {
      readonly since: string | null;
      readonly until: string;
      readonly limit: number;
      readonly about: string | null;
    },
  ): Promise<EarlierRead>;
  /** What the platform shows below a message, once it has had a moment to add it. */
  shown(said: Said): Promise<readonly Quote[]>;
  /** A file's bytes, at most `most` of them. */
  fetch(file: SharedFile, most: number): Promise<Fetched>;
  /** Only that person sees it; a courtesy, never repeated. */
  whisper(to: Addressee, note: Note): Promise<void>;
  /**
   * Puts a question into the thread in the name of the person, or opens a thread with it. Answers the message, or why
   * not. The same `id` is put once, whatever crashes.
   */
  put(
    where: { readonly place: string; readonly root: string | null },
    question: { readonly id: string; readonly person: string; readonly text: string },
  ): Promise<PutResult>;
  /** Who can read a place. */
  audience(place: string): Promise<"public" | "private" | null>;
  /** The address of a message, as people open it; null where the platform does not tell. */
  link(place: string, message: string): Promise<string | null>;
  /** What people have marked a thread with: the tags of a forum post, as they are called. */
  tags(where: Place): Promise<TagsRead>;
  /** Asks in the thread which repository its place works on. */
  pick(where: Place, picker: Picker): Promise<void>;
  /** Puts what was picked in the place of the question; `message` is the question's. */
  picked(where: Place, message: string, text: string): Promise<void>;
}

// ── the rows ────────────────────────────────────────────────────────────────────────────────────────────────

/** What a place works on. */
export interface Binding {
  readonly repo: Repo;
  readonly by: PersonId;
  readonly at: Millis;
}

/** A question that waits for an answer, and the thread that it stands in. */
export interface Waiting extends Place {
  readonly conversation: ConversationId;
  readonly title: string;
  readonly askedAt: Millis;
}

/** A question that was told in the approvers' channel. */
export interface Announced {
  readonly wire: string;
  readonly place: string;
  readonly message: string;
  /** The message does not say yet what became of it. */
  readonly isOpen: boolean;
}

export interface Participant {
  readonly person: string;
  /** Has been told that a reply which does not address the bot is not taken. */
  readonly hinted: boolean;
}

/** Rows of chat surfaces beside the conversations. `surface`: name of the connection. */
export interface ChatStore extends ChannelRows, OwedRows {
  /**
   * All of them in one transaction, on the disk when it answers. `loose`: something before them may have been
   * missed, so that no cursor goes past them yet.
   */
  arrive(
    surface: string,
    rows: readonly InboxRow[],
    loose?: boolean,
  ): Promise<{ readonly kind: "done"; readonly fresh: ReadonlySet<string> } | WriteFailure>;
  /** Handled: its words are dropped, its id is kept for as long as the platform may send it again. */
  settle(surface: string, id: string): Promise<{ readonly kind: "done" } | WriteFailure>;
  /** When the surface last brought something; null when it never did. */
  lastArrival(surface: string): Millis | null;
  /** Rows that were not handled when the last process ended, oldest first. */
  unhandled(surface: string): readonly InboxRow[];
  /** Forgets handled rows from before `at`. */
  forget(surface: string, at: Millis): Promise<{ readonly kind: "done" } | WriteFailure>;
  binding(surface: string, place: string): Binding | null;
  bind(surface: string, place: string, binding: Binding): Promise<{ readonly kind: "done" } | WriteFailure>;
  /** What conversations that begin in the place are told of it; null where nobody said anything. */
  instructions(surface: string, place: string): Instructions | null;
  /** Null clears them. */
  instruct(
    surface: string,
    place: string,
    instructions: Instructions | null,
  ): Promise<{ readonly kind: "done" } | WriteFailure>;
  /** Repositories that places of the surface work on, without repeats. */
  bound(surface: string): readonly Repo[];
  participants(conversation: ConversationId): readonly Participant[];
  /** Questions that wait in threads of the surface, oldest first. */
  waiting(surface: string): readonly Waiting[];
  /** Those that are open. */
  announced(surface: string): readonly Announced[];
  /** Inserts or replaces. */
  setAnnounced(surface: string, announced: Announced): Promise<{ readonly kind: "done" } | WriteFailure>;
  /** Inserts or replaces. */
  joined(
    conversation: ConversationId,
    participant: Participant,
  ): Promise<{ readonly kind: "done" } | WriteFailure>;
  /** The newest message of the thread that the conversation has heard of. */
  heard(conversation: ConversationId): string | null;
  setHeard(conversation: ConversationId, message: string): Promise<{ readonly kind: "done" } | WriteFailure>;
}

// ── what adapters get ───────────────────────────────────────────────────────────────────────────────────────

export interface Inbox {
  /** Settles when the row is on the disk: acknowledge after it. */
  arrive(arrival: Arrival): Promise<Arrived>;
  /** Something of that lane has arrived and is not handled yet. */
  awaits(lane: string): boolean;
  /** Handles what the last process left. */
  start(): void;
  /** Takes nothing more; settles when what is being handled has ended. */
  close(): Promise<void>;
}

/** What handling a row came to. `later`: it stays open, and is handled again. */
export type Handled = "done" | "later";

/** The manners that chat surfaces share. */
export interface Chat {
  /** `last`: it is not handled again, so that what still fails is told to the person. */
  said(said: Said, last: boolean): Promise<Handled>;
  /** A message of which nobody could read where it stands, after the last try: the person is told so (D7). */
  unplaced(to: Addressee, message: string, why: string): Promise<Handled>;
  clicked(click: Click): Promise<Handled>;
  picked(pick: RepoPick): Promise<Handled>;
  asked(ask: Ask): Promise<Handled>;
  slash(slash: Slash): Promise<Handled>;
  removed(removed: Removed): Promise<Handled>;
  /** By the host's own list. */
  mayApprove(person: string): Promise<boolean>;
}

/** A person chose the repository of a place. */
export interface RepoPick extends Place {
  readonly person: string;
  readonly direct: boolean;
  /** A name from the choices. */
  readonly repo: string;
  /** The message that asked. */
  readonly message: string;
  /** What waits for it; null where it is gone. */
  readonly said: Said | null;
}
