/** The rows that chat surfaces keep beside the conversations. No member throws or rejects. */

import type { ConversationId, Millis, PersonId } from "../machine/id.ts";
import type { ChannelRows, Instructions } from "./channels.ts";
import type { InboundEvent, InboxRow } from "./chat.ts";
import type { RepositoryBinding, Place, Repo } from "./conversation.ts";
import type { Done, WriteFailure } from "./host.ts";
import type { PendingReplyRows } from "./replies.ts";
import type { QuestionRow } from "./store.ts";
import type { SendFailure } from "./surface.ts";

/** What a place works on. */
interface Binding {
  readonly repo: RepositoryBinding;
  readonly by: PersonId;
  readonly at: Millis;
}

/** A question that waits for an answer, and the thread that it stands in. */
export interface WaitingQuestion extends Place {
  readonly conversation: ConversationId;
  readonly title: string;
  readonly type: QuestionRow["type"];
  readonly askedAt: Millis;
}

/** A question that was told in the approvers' channel. */
export interface AnnouncedQuestion {
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

/** What a platform sent, until it is handled. */
interface InboxRows {
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
  settle(surface: string, id: string): Promise<Done>;
  /** When the surface last brought something; null when it never did. */
  lastArrival(surface: string): Millis | null;
  /** When the last arrived of what nothing may be missed before; null if nothing did. */
  heardUntil(surface: string): Millis | null;
  /** The newest position of such a message. */
  newest(surface: string): string | null;
  /** Rows that were not handled when the last process ended, oldest first. */
  unhandled(surface: string): readonly InboxRow[];
  /** Forgets handled rows from before `handled`, and what else is older than `at`. */
  forget(surface: string, at: Millis, handled: Millis): Promise<Done>;
}

/** What places work on, and what is told of them. */
interface Bindings {
  binding(surface: string, place: string): Binding | null;
  bind(surface: string, place: string, binding: Binding): Promise<Done>;
  /** What conversations that begin in the place are told of it; null where nobody said anything. */
  instructions(surface: string, place: string): Instructions | null;
  /** Null clears them. */
  instruct(surface: string, place: string, instructions: Instructions | null): Promise<Done>;
  /** Repositories that places of the surface work on, without repeats. */
  bound(surface: string): readonly Repo[];
  /** Places that have a repository, and since when, in which nothing was ever said. */
  unused(surface: string): readonly { readonly place: string; readonly at: Millis }[];
  /** The platform calls the place by another id: all that is kept of it moves. */
  movePlace(surface: string, from: string, to: string): Promise<Done>;
  /** No conversation has begun there. */
  isFirstIn(surface: string, place: string): boolean;
}

/** A message that waits for its place to get a repository. */
interface Unbound extends Place {
  readonly message: string;
  /** The platform's id of the message that says so; null where none stands. */
  readonly note: string | null;
  readonly at: Millis;
}

interface UnboundRows {
  /** Oldest first. */
  unbound(surface: string, place: string): readonly Unbound[];
  /** Inserts or replaces. */
  setUnbound(surface: string, unbound: Unbound): Promise<Done>;
  dropUnbound(surface: string, place: string, message: string): Promise<Done>;
}

/** Questions that wait in threads, and those told elsewhere. */
interface QuestionRows {
  /** Questions that wait in threads of the surface, oldest first. */
  waiting(surface: string): readonly WaitingQuestion[];
  /** Those that are open. */
  announced(surface: string): readonly AnnouncedQuestion[];
  /** Inserts or replaces. */
  setAnnounced(surface: string, announced: AnnouncedQuestion): Promise<Done>;
}

/** Who takes part in a thread, and how far it has been heard. */
interface ThreadPeople {
  participants(conversation: ConversationId): readonly Participant[];
  /** Inserts or replaces. */
  joined(conversation: ConversationId, participant: Participant): Promise<Done>;
  /** The newest message of the thread that the conversation has heard of. */
  heard(conversation: ConversationId): string | null;
  setHeard(conversation: ConversationId, message: string): Promise<Done>;
}

/** Rows of chat surfaces beside the conversations. `surface`: name of the connection. */
export interface ChatStore
  extends InboxRows,
    Bindings,
    UnboundRows,
    QuestionRows,
    ThreadPeople,
    ChannelRows,
    PendingReplyRows {}

/** Where messages come from: one thread, or the top level of a channel where `root` is null. */
export interface Source {
  readonly place: string;
  readonly root: string | null;
  /** Everything up to this position is handled and answered. */
  readonly since: string;
  /** Of a thread: the oldest of its messages that arrived. What was said before is nobody's request. */
  readonly first?: string | null;
}

export type MissedMessages =
  | {
      readonly kind: "read";
      /** `isTaken`: of a channel, its thread holds messages of ours, and this database knows nothing of it. */
      readonly arrivals: readonly {
        readonly arrival: InboundEvent;
        readonly position: string;
        readonly isTaken: boolean;
      }[];
      /** Of a thread: our own messages beside them, by position and {@link Backlog.markOf} their key. */
      readonly ours: readonly { readonly id: string; readonly mark: string }[];
      /** Of a channel: threads that may hold more and were not read. */
      readonly left?: number;
    }
  | SendFailure;

export interface Backlog {
  /** Everything that people wrote there after `since`, all pages of it; as it would have arrived. */
  missed(source: Source): Promise<MissedMessages>;
  /** What can be read of a message of ours that was sent with this key. */
  markOf(wire: string): string;
  /** Absent if events come in the order of their messages and every channel is known. */
  readonly sweep?: BacklogScope;
}

/** What it takes to read more than the cursors name. */
export interface BacklogScope {
  timeOf(position: string): Millis;
  /** The position that a message of that time would have at the earliest. */
  positionAt(time: Millis): string;
  /** All channels and direct messages that the bot is in. */
  places(): Promise<{ readonly kind: "places"; readonly places: readonly string[] } | SendFailure>;
}

/** How far a connection's threads and channels are handled and answered. */
export interface Cursors {
  /** Channels, and the threads in which something happened since `after`, latest first. */
  sources(surface: string, after: Millis, limit: number): readonly Source[];
  /** Nothing is missing any more before what has arrived. */
  tighten(surface: string): Promise<Done>;
}
