/** No member throws or rejects. */

import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type { ChannelRows, Instructions } from "./channels.ts";
import type { InboundEvent, InboxRow } from "./chat.ts";
import type { RepositoryBinding, Place, Repo } from "./conversation.ts";
import type { Done, WriteFailure } from "./host.ts";
import type { PendingReplyRows } from "./replies.ts";
import type { QuestionRow } from "./store.ts";
import type { SendFailure } from "./surface.ts";

interface Binding {
  readonly repo: RepositoryBinding;
  readonly by: PersonId;
  readonly at: Millis;
}

export interface WaitingQuestion extends Place {
  readonly conversation: ConversationId;
  readonly title: string;
  readonly type: QuestionRow["type"];
  readonly askedAt: Millis;
}

export interface AnnouncedQuestion {
  readonly wire: string;
  readonly place: string;
  readonly message: string;
  /** Whether the message does not yet show the outcome. */
  readonly isOpen: boolean;
}

export interface Participant {
  readonly person: string;
  /** Whether the person was notified that replies without a mention of the bot are ignored. */
  readonly hinted: boolean;
}

interface InboxRows {
  /** Stores all rows or none, and settles when they are on disk. `loose`: events may be missing, so no cursor advances yet. */
  arrive(
    surface: string,
    rows: readonly InboxRow[],
    loose?: boolean,
  ): Promise<{ readonly kind: "done"; readonly fresh: ReadonlySet<string> } | WriteFailure>;
  /** Drops the row's content and keeps its id for as long as the platform may resend the event. */
  settle(surface: string, id: string): Promise<Done>;
  lastArrival(surface: string): Millis | null;
  /** Returns the arrival time of the last event before which no event is missing. */
  heardUntil(surface: string): Millis | null;
  /** Returns the newest position of a message before which no event is missing. */
  newest(surface: string): string | null;
  /** Returns rows that the last process left unhandled, oldest first. */
  unhandled(surface: string): readonly InboxRow[];
  /** Deletes handled rows from before `handled`, and other data older than `at`. */
  forget(surface: string, at: Millis, handled: Millis): Promise<Done>;
}

interface Bindings {
  binding(surface: string, place: string): Binding | null;
  bind(surface: string, place: string, binding: Binding): Promise<Done>;
  instructions(surface: string, place: string): Instructions | null;
  instruct(surface: string, place: string, instructions: Instructions | null): Promise<Done>;
  bound(surface: string): readonly Repo[];
  /** Returns channels that have a repository but never had a message, with the time of the binding. */
  unused(surface: string): readonly { readonly place: string; readonly at: Millis }[];
  /** Moves all data of a channel whose id changed on the platform. */
  movePlace(surface: string, from: string, to: string): Promise<Done>;
  isFirstIn(surface: string, place: string): boolean;
}

/** A message that waits until its channel gets a repository. */
interface Unbound extends Place {
  readonly message: string;
  /** Platform id of the notice about the missing repository. */
  readonly note: string | null;
  readonly at: Millis;
}

interface UnboundRows {
  unbound(surface: string, place: string): readonly Unbound[];
  setUnbound(surface: string, unbound: Unbound): Promise<Done>;
  dropUnbound(surface: string, place: string, message: string): Promise<Done>;
}

interface QuestionRows {
  /** Oldest first. */
  waiting(surface: string): readonly WaitingQuestion[];
  announced(surface: string): readonly AnnouncedQuestion[];
  setAnnounced(surface: string, announced: AnnouncedQuestion): Promise<Done>;
}

interface ThreadPeople {
  participants(conversation: ConversationId): readonly Participant[];
  joined(conversation: ConversationId, participant: Participant): Promise<Done>;
  /** Returns the newest message of the thread that the conversation has received. */
  heard(conversation: ConversationId): string | null;
  setHeard(conversation: ConversationId, message: string): Promise<Done>;
  /** Whether only messages with a mention are input; null if the channel's setting counts. */
  isQuiet(conversation: ConversationId): boolean | null;
  setQuiet(conversation: ConversationId, quiet: boolean): Promise<Done>;
}

/** `surface`: name of the connection. */
export interface ChatStore
  extends InboxRows,
    Bindings,
    UnboundRows,
    QuestionRows,
    ThreadPeople,
    ChannelRows,
    PendingReplyRows {}

/** Source of messages: one thread, or the top level of a channel if `root` is null. */
export interface Source {
  readonly place: string;
  readonly root: string | null;
  /** Position up to which every message is handled and answered. */
  readonly since: string;
  /** Set for a thread: its oldest message that arrived. Earlier messages are no requests. */
  readonly first?: string | null;
}

export type MissedMessages =
  | {
      readonly kind: "read";
      /** `isTaken`: for a channel, the message's thread contains messages of Parley that this database does not have. */
      readonly arrivals: readonly {
        readonly arrival: InboundEvent;
        readonly position: string;
        readonly isTaken: boolean;
      }[];
      /** For a thread: the bot's own messages by position, each with the mark of its key (`markOf`). */
      readonly ours: readonly { readonly id: string; readonly mark: string }[];
      /** For a channel: number of threads that may contain more and were not read. */
      readonly left?: number;
    }
  | SendFailure;

export interface Backlog {
  /** Reads all pages of messages that people wrote after `since`, in the form in which they would have arrived. */
  missed(source: Source): Promise<MissedMessages>;
  /** Returns the readable mark of a bot message that was sent with this key. */
  markOf(wire: string): string;
  /** Absent if events arrive in the order of their messages and every channel is known. */
  readonly sweep?: BacklogScope;
}

export interface BacklogScope {
  timeOf(position: string): Millis;
  /** Returns the earliest position that a message at `time` could have. */
  positionAt(time: Millis): string;
  places(): Promise<{ readonly kind: "places"; readonly places: readonly string[] } | SendFailure>;
}

export interface Cursors {
  /** Returns channels, and threads with events since `after`, latest first. */
  sources(surface: string, after: Millis, limit: number): readonly Source[];
  /** Records that nothing is missing any more before the events that have arrived. */
  tighten(surface: string): Promise<Done>;
}

/** Compares positions within a channel: a longer one is later, and equal lengths sort as text. */
export const comparePositions = (a: string, b: string): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
