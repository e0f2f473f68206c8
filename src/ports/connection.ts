/** Contract between a chat platform's adapter and the runtime. No member throws or rejects. */

import type { ConversationId, Millis } from "../machine/id.ts";
import type { Announcement, SendAlert } from "./alerts.ts";
import type { ReadThread } from "./answers.ts";
import type { Bot, ConversationChange } from "./bot.ts";
import type { ReadName } from "./channels.ts";
import type { ChatPlatform } from "./chat-platform.ts";
import type { Backlog, Source } from "./chat-rows.ts";
import type { InboundEvent, InboundResult, Chat, HandleResult, InboxRow } from "./chat.ts";
import type { OfferedCommand } from "./commands.ts";
import type { Place } from "./conversation.ts";
import type { Done } from "./host.ts";
import type { Authors } from "./authors.ts";
import type { Requests } from "./questions.ts";
import type { Cards, PendingReviewTexts, ReviewRenderer } from "./review.ts";
import type { LateThread } from "./figures.ts";
import type { Content, Renderer, Surface } from "./surface.ts";
import type { NewThreads, Opener } from "./threads.ts";
import type { Language, Say } from "../i18n/say.ts";

export interface ChatAdapter {
  readonly rules: ChatRules;
  readonly surface: Surface;
  readonly renderer: (say: Say) => Renderer & ReviewRenderer;
  /** Language of a channel, if a person chose one on the platform. */
  readonly languageAt?: (place: string) => Language | null;
  readonly opener: Opener;
  readonly tell: SendAlert;
  readonly cards: Cards;
  readonly readName: ReadName;
  readonly readThread: ReadThread;
  readonly readPost?: ReadPost;
  readonly line: ChatConnection;
}

interface ChatRules {
  /** People who may begin turns that write after an approval. */
  readonly drivers: "members" | "approvers";
  /** Whether people without write permission may request changes; null if the platform has no such people. */
  readonly requests: boolean | null;
  /** Allowed channels; null if every channel with the bot is allowed. */
  readonly places: readonly string[] | null;
}

type ReadPost = (place: string, post: string) => Promise<PostRead>;

/** A message at the top of a channel, or the first message of a forum's post. */
export type PostRead =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "deleted" }
  | { readonly kind: "unread"; readonly why: string };

/** `done` once the event is stored or needs no handling; the adapter then acknowledges the event. */
export type ReceivePayload = (body: unknown) => Promise<Done>;

/** Problems are logged and retried; no other part of the host waits for the connection. */
export interface ChatConnection {
  /** Returns `on` or the missing part, for people. */
  standing(): string;
  /** Settles, with the reason, if only a new process can help. */
  readonly failed: Promise<string>;
  /** Settles when the platform is connected, or when the first attempt has failed. Further attempts continue. */
  start(host: ChatHost): Promise<unknown>;
  /** Listens on a host that does not lead. Events that the platform sends here are passed to the leader. */
  listen(): void;
  heard(id: ConversationId, change: ConversationChange): void;
  /** Called when all events that the disk had refused are stored. Absent if the platform resends events. */
  stored?(): void;
  /** Accepts no more events from the platform. */
  leave(): Promise<void>;
  /** Called after the last delivery. */
  close(): Promise<void>;
}

export interface ChatHost {
  /** Starts receiving messages, once the bot's own identity is known. Called once. */
  attend(own: (room: ChatInbox) => Attendance): ChatInbox;
  /** Resumes deliveries and reads, after a time in which the platform refused all calls. */
  recover(): void;
}

interface Attendance {
  /** `last`: this is the last attempt, whatever its result. */
  readonly handle: (row: InboxRow, last: boolean) => Promise<HandleResult>;
  /** Null if nothing is read besides the channels that the adapter names. */
  readonly backlog: Backlog | null;
  /** Null if questions are not announced to approvers. */
  readonly approvals: Approvals | null;
  /** Reads a person at a time without an event. `server`: of the channel; null if the conversation does not name one. */
  readonly person: (
    channel: { readonly place: string; readonly server: string | null },
    ...asked: Parameters<ChatPlatform["person"]>
  ) => ReturnType<ChatPlatform["person"]>;
}

interface Approvals {
  readonly place: string;
  readonly platform: Pick<ChatPlatform, "audience" | "link">;
  readonly renderer: (say: Say) => Renderer;
  readonly content: (announcement: Announcement, say: Say) => Content;
}

interface CaughtUp {
  /** Reports whether events can arrive now. Missed messages are read from each thread's last answered position. */
  connected(isConnected: boolean): void;
  /** Reads one source after the other and repeats failed reads later. */
  read(backlog: Backlog, places: readonly Source[]): Promise<void>;
}

interface Speaking {
  say(place: string): Say;
}

interface Reopening {
  /** Reports that a channel, or a thread by its root, may accept posts again; null if the platform does not say which. */
  reopened(place: string | null): void;
  moved(from: string, to: string): Promise<Done>;
}

interface Watching {
  hears(place: string, app: readonly string[]): boolean;
  /** Whether posts of the person in the channel are read without a mention. */
  sees(place: string, person: string): boolean;
  /** Whether words of the message are stored outside of conversations, so that its deletion matters. */
  keeps(place: string, message: string): boolean;
}

export interface ChatInbox extends CaughtUp, PendingReviewTexts, Speaking, Reopening, Watching {
  arrive(arrival: InboundEvent): Promise<InboundResult>;
  /** Whether the thread has a conversation or will get one. If not, the next question reads the thread back. */
  knows(place: string, root: string): boolean;
  isEnabled(place: string): boolean;
  /** Commands for platforms that list them, in display order. */
  readonly commands: readonly OfferedCommand[];
  /** Whether a message only stops a turn. Such a message does not queue behind others of its thread. */
  stops(text: string): boolean;
  /** `mention`: the bot's name for people. `refused`: called if the ledger, not `platform`, has to notify a person. */
  talk(mention: string, platform: ChatPlatform, refused?: () => void): Chat;
  stop(thread: Place, person: string): Promise<void>;
  /** Ends the turns of a person whom moderators removed. `isThere`: whether the ban covers a channel. */
  bar(person: string, isThere: (place: string) => Promise<boolean>): Promise<void>;
}

/** A connection that is off does nothing. */
export interface ChatSurface
  extends Pick<ChatConnection, "standing" | "failed" | "listen" | "heard" | "leave" | "close">,
    Speaking {
  readonly name: string;
  readonly off: string | null;
  late(): readonly LateThread[];
  /** Returns the time for which the conversation's thread shows no newer text; 0 without a thread on this platform. */
  unseenFor(id: ConversationId): Millis;
  readonly tell: SendAlert;
  readonly answer: Surface["answer"];
  readonly readName: ReadName;
  readonly readThread: ReadThread;
  readonly readPost?: ReadPost;
  readonly link: Opener["link"];
  readonly threads: NewThreads;
  readonly weigh: Requests["weigh"];
  readonly author: Authors["author"];
  start(bot: Bot): Promise<void>;
}
