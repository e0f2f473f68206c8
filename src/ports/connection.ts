/**
 * A chat platform and the runtime, each as the other sees it: what an adapter brings, and what it is given to hear with.
 * No member throws or rejects.
 */

import type { ConversationId } from "../machine/id.ts";
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
import type { Requests } from "./questions.ts";
import type { Cards, PendingReviewTexts, ReviewRenderer } from "./review.ts";
import type { LateThread } from "./figures.ts";
import type { Content, Renderer, Surface } from "./surface.ts";
import type { NewThreads, Opener } from "./threads.ts";
import type { Language, Say } from "../i18n/say.ts";

/** A chat platform, as its adapter brings it. */
export interface ChatAdapter {
  readonly rules: ChatRules;
  readonly surface: Surface;
  readonly renderer: (say: Say) => Renderer & ReviewRenderer;
  /** What the platform says of the language of a place, where somebody chose one. */
  readonly languageAt?: (place: string) => Language | null;
  readonly opener: Opener;
  /** For whoever looks after the host. */
  readonly tell: SendAlert;
  /** For whoever looks at answers before they are posted. */
  readonly cards: Cards;
  /** What people there call a channel. */
  readonly readName: ReadName;
  readonly readThread: ReadThread;
  readonly line: ChatConnection;
}

/** What the operator, or the platform's nature, lets people do there. */
interface ChatRules {
  /** Who begins turns that may write once they are approved. */
  readonly drivers: "members" | "approvers";
  /** Whether people who may not have anything changed may ask for it; null where there are none. */
  readonly requests: boolean | null;
  /** Places that may be used; null: all that the bot is in. */
  readonly places: readonly string[] | null;
}

/** What the platform sent, as JSON says it: done once it is stored, or where it needs no handling. Then it is acknowledged. */
export type ReceivePayload = (body: unknown) => Promise<Done>;

/** The connection itself. What is wrong with it is said in the log and tried again; nothing else of the host waits for it. */
export interface ChatConnection {
  /** For people: `on`, or what is missing. */
  standing(): string;
  /** Settles, with the reason, when only a new process can help. */
  readonly failed: Promise<string>;
  /** Settles when the platform is connected, or the first try has failed; trying goes on. */
  start(host: ChatHost): Promise<unknown>;
  /** On a host that does not lead: what the platform sends here as well is handed to the one that does. */
  listen(): void;
  heard(id: ConversationId, change: ConversationChange): void;
  /** The disk has taken everything that it had refused of what arrived. Absent: the platform sends it again. */
  stored?(): void;
  /** Takes nothing more from the platform. */
  leave(): Promise<void>;
  /** After the last delivery. */
  close(): Promise<void>;
}

/** The runtime, as an adapter sees it while it connects. */
export interface ChatHost {
  /** It is known who the bot is: from now on what people write is taken. Once. */
  attend(own: (room: ChatInbox) => Attendance): ChatInbox;
  /** The platform takes calls again that it had refused all: delivers and reads what it would not. */
  recover(): void;
}

/** What an adapter does with what arrives. */
interface Attendance {
  /** `last`: it is not handled again, whatever comes of it. */
  readonly handle: (row: InboxRow, last: boolean) => Promise<HandleResult>;
  /** Null where nothing is read but the places that the adapter names. */
  readonly backlog: Backlog | null;
  /** Where questions are told to those who approve; null where nowhere. */
  readonly approvals: Approvals | null;
}

interface Approvals {
  readonly place: string;
  readonly platform: Pick<ChatPlatform, "audience" | "link">;
  /** What is shown of one. */
  readonly content: (announcement: Announcement, say: Say) => Content;
}

/** What was missed while no event could arrive. */
interface CaughtUp {
  /** Whether events can arrive now: what was missed while none could is read, from where each thread is answered on. */
  connected(isConnected: boolean): void;
  /** Reads these places, one after the other; what cannot be read now is read later. */
  read(backlog: Backlog, places: readonly Source[]): Promise<void>;
}

interface Speaking {
  /** In the language of the place. */
  say(place: string): Say;
}

interface Reopening {
  /** The platform tells that a place, or a thread by its root, may take our messages again; null: it does not say which. */
  reopened(place: string | null): void;
  /** The platform calls a place by another id: its threads, settings and budgets go on there. */
  moved(from: string, to: string): Promise<Done>;
}

/** Where people talk with the bot. */
export interface ChatInbox extends CaughtUp, PendingReviewTexts, Speaking, Reopening {
  arrive(arrival: InboundEvent): Promise<InboundResult>;
  /**
   * Whether the thread has a conversation, or gets one once the message that begins it is handled. If not, the next question
   * in the thread reads the thread back: this message may have overtaken the mention above it.
   */
  knows(place: string, root: string): boolean;
  /** Whether posts of the app, by any of its ids, are wanted there. */
  hears(place: string, app: readonly string[]): boolean;
  /** The place has a repository and may be used. */
  isEnabled(place: string): boolean;
  /** For platforms that list commands, in the order in which they list them. */
  readonly commands: readonly OfferedCommand[];
  /** Whether a message only stops: it does not wait behind others of its thread. */
  stops(text: string): boolean;
  /** `mention`: what people call the bot. `refused`: a person is told by the ledger, and not by the platform that is given. */
  talk(mention: string, platform: ChatPlatform, refused?: () => void): Chat;
  /** Stops what the conversation of the thread does. */
  stop(thread: Place, person: string): Promise<void>;
  /** Ends the turns of somebody whom moderators removed. `isThere`: whether the place is one that they are barred from. */
  bar(person: string, isThere: (place: string) => Promise<boolean>): Promise<void>;
}

/** A connection to a chat platform, as the composition has it. One that is off does nothing. */
export interface ChatSurface
  extends Pick<ChatConnection, "standing" | "failed" | "listen" | "heard" | "leave" | "close">,
    Speaking {
  /** Of the connection. */
  readonly name: string;
  /** Why the configuration leaves it off; null where it is tried. */
  readonly off: string | null;
  /** Threads that have lacked something for a minute. */
  late(): readonly LateThread[];
  readonly tell: SendAlert;
  readonly readName: ReadName;
  readonly readThread: ReadThread;
  /** The address of a thread. */
  readonly link: Opener["link"];
  /** For conversations that go on in a thread of their own. */
  readonly threads: NewThreads;
  /** Requests of people who may not have anything changed. */
  readonly weigh: Requests["weigh"];
  /** Settles when the platform is connected, or the first try has failed or takes long; trying goes on. */
  start(bot: Bot): Promise<void>;
}
