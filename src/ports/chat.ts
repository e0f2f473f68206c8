/** No member throws or rejects. */

import type { Millis } from "../machine/id.ts";
import type { Citation } from "../text/citation.ts";
import type { PostBody } from "../thread/post.ts";
import type { ListedStep } from "../thread/step-list.ts";
import type { RepositoryBinding, Conversation, Place } from "./conversation.ts";
import type { WriteFailure } from "./host.ts";
import type { ClickAction } from "./questions.ts";
import type { Addressee, Content, PrivateNote } from "./surface.ts";
import type { Say } from "../i18n/say.ts";

/** Event that the platform sent, before it is acknowledged (D20). */
export interface InboundEvent {
  /** Unique within the surface. An event that is sent again has the same id. */
  readonly id: string;
  /** Events of one lane are handled in order; lanes run in parallel. */
  readonly lane: string;
  /** JSON values, as the platform sent them. */
  readonly body: unknown;
  /** Set for messages. Other events, such as clicks, are not part of catch-up. */
  readonly from?: MessagePlace;
  /** Whether a refused write stays in memory until it succeeds, because the platform does not resend the event for long. */
  readonly insist?: boolean;
}

interface MessagePlace extends Place {
  /** A longer position is later; equal lengths sort as text. Equal to `root` if the message may begin a thread. */
  readonly position: string;
}

export interface InboxRow extends Omit<InboundEvent, "insist"> {
  readonly at: Millis;
}

export type InboundResult = { readonly kind: "stored" } | { readonly kind: "known" } | WriteFailure;

export interface MessageLocation {
  readonly place: string;
  /** First message of the thread; null outside of threads. */
  readonly root: string | null;
  /** Whether only one person and the bot can read the message. */
  readonly direct: boolean;
}

export interface ChatMessage extends MessageLocation {
  /** Id of the claim, unique within the surface. */
  readonly id: string;
  /** Platform id of the message. */
  readonly message: string;
  readonly person: string;
  /** Plain text without the mention of the bot. */
  readonly text: string;
  /** The text with ids instead of names, as commands read it; absent if the two are equal. */
  readonly typed?: string;
  /** Whether the bot is mentioned, or no other addressee is possible. */
  readonly addressed: boolean;
  /** Time of the message; absent for questions of commands. */
  readonly at?: Millis;
  /** Set if the message mentions another bot. */
  readonly toBot?: true;
  /** Set in help forums, where people who only talk to each other get no hints from the bot. */
  readonly forum?: boolean;
  readonly files: readonly SharedFile[];
  /** Previews below the message: unfurled links, quoted messages. Null if the platform may still add some. */
  readonly shown: readonly Quote[] | null;
  /** Message of the thread that this one refers to; null if it refers to none. */
  readonly about: string | null;
  /** Repository of the question, if it differs from the channel's. */
  readonly repo?: RepositoryBinding;
}

/** `root`: first message of the thread; equal to `message` at the top of a channel. */
export interface Reaction extends MessageLocation {
  readonly root: string;
  readonly message: string;
  readonly person: string;
  /** As `emojiKey` returns it. */
  readonly emoji: string;
  /** Time of its arrival. */
  readonly at: Millis;
  /** Position among the person's reactions to the message. Slack sends them in any order. */
  readonly moment: number;
}

export interface AppMessage {
  readonly place: string;
  readonly message: string;
  readonly by: readonly string[];
  readonly title: string;
  readonly text: string;
  readonly link: string | null;
  /** Key that posts about one incident share. */
  readonly matter: string;
  readonly at: Millis;
}

/** A new public channel. */
export interface NewChannel {
  readonly place: string;
  readonly name: string;
  /** Adds the bot; returns the reason if the platform refuses. */
  readonly join: () => Promise<
    { readonly kind: "joined" } | { readonly kind: "refused"; readonly why: string }
  >;
}

export interface SharedFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  /** In bytes, as the platform reports it. */
  readonly size: number;
  readonly url: string;
  /** Text of a file that arrived with the message, such as an e-mail; absent if the file has to be fetched. */
  readonly text?: string;
  /** Why the platform does not serve the file; absent if it does. */
  readonly withheld?: string;
  /** First sender of the file, if a different person wrote the message. */
  readonly author?: string;
}

/** Text that is no instruction of the requester. */
export interface Quote {
  readonly author: string;
  readonly text: string;
  readonly at: Millis;
}

export interface ThreadMessage extends Quote {
  readonly message: string;
  /** Null if no person wrote the message. */
  readonly person: string | null;
  readonly ours: boolean;
  readonly files: readonly SharedFile[];
  readonly shown: readonly Quote[];
}

export interface Click extends MessageLocation {
  /** Unique within the surface. A click that is handled again has the same id. */
  readonly id: string;
  readonly person: string;
  readonly action: ClickAction;
  /** Value of the button: wire id of a question, conversation, answer, or claim (D10). */
  readonly value: string;
  readonly comment: string | null;
  /** Whether the gesture may have another meaning. If it changes nothing, the bot stays silent. */
  readonly quiet: boolean;
  /** Replaces the private reply that contains the button; null removes it. False if it stays. Absent for other messages. */
  readonly replace?: (note: PrivateNote | null) => Promise<boolean>;
}

/** A question outside of the person's messages: from a command, or about another message. */
export interface CommandQuestion {
  /** A question that is handled again has the same id. */
  readonly id: string;
  readonly place: string;
  readonly direct: boolean;
  readonly person: string;
  readonly text: string;
  /** Message that the question is about, and the first message of its thread; null opens a thread. */
  readonly about: { readonly message: string; readonly root: string } | null;
  /** Arrival time; absent if the platform can find an earlier post without it. */
  readonly at?: Millis;
  /** Replies to the person in private. */
  readonly reply: (text: string) => Promise<void>;
}

/** `/parley …` outside of threads. `typed`: as in {@link ChatMessage}. */
export type Slash = Omit<CommandQuestion, "about"> & Pick<ChatMessage, "typed">;

export interface DeletedMessage extends Place {
  /** Null if the complete thread was deleted. */
  readonly message: string | null;
  readonly at: Millis;
}

export interface Inbox {
  /** Settles when the row is on disk; acknowledge the event after that. */
  arrive(arrival: InboundEvent): Promise<InboundResult>;
  awaits(lane: string): boolean;
  start(): void;
  close(): Promise<void>;
}

/** Result of handling a row. `later`: the row stays open and is handled again. */
export type HandleResult = "done" | "later";

interface Hearing {
  /** `last`: this is the last attempt, so a remaining failure is reported to the person. */
  said(said: ChatMessage, last: boolean): Promise<HandleResult>;
  /** Notifies the person that their message could not be located, after the last attempt (D7). */
  unplaced(to: Addressee, message: string, why: string): Promise<HandleResult>;
  posted(posted: AppMessage): Promise<HandleResult>;
  reacted(reaction: Reaction): Promise<HandleResult>;
  created(channel: NewChannel): Promise<HandleResult>;
  /** Called for every edit of a message that may have been read, also for edits without a change of words (D52). */
  edited(edit: MessageEdit): Promise<HandleResult>;
}

export interface MessageEdit {
  /** The message in its new words, with the id of its claim. */
  readonly said: ChatMessage;
  readonly editedAt: Millis;
  readonly last: boolean;
}

interface PersonalPages {
  suggestions(ask: SuggestionsAsk): Promise<readonly Suggestion[]>;
  home(person: string): Promise<PersonalHome>;
}

export interface Chat extends Hearing, StepsReader, PersonalPages {
  clicked(click: Click): Promise<HandleResult>;
  /** The platform let a person mark the answer's thread as solved. `value`: value of the button. */
  solved(where: Place, value: string): Promise<HandleResult>;
  picked(pick: RepoPick): Promise<HandleResult>;
  asked(ask: CommandQuestion): Promise<HandleResult>;
  slash(slash: Slash): Promise<HandleResult>;
  removed(removed: DeletedMessage): Promise<HandleResult>;
  /** Whether the host's own list contains the person. */
  mayApprove(person: string): Promise<boolean>;
}

/** `place`: channel that the person is viewing; null if unknown. `isDirect`: whether nobody else can read the channel. */
export interface SuggestionsAsk {
  readonly person: string;
  readonly place: string | null;
  readonly isDirect: boolean;
}

/** The page of one person. Contains only content that this person may read. */
export interface PersonalHome {
  readonly say: Say;
  /** The bot's name for people. */
  readonly mention: string;
  /** Why the page is empty, for a person without rights; null for others. */
  readonly notice: string | null;
  /** Cards that the person can decide, the oldest first. */
  readonly cards: readonly HomeCard[];
  readonly runs: readonly HomeRun[];
  /** Number of cards that wait for the person and are not in `cards`. */
  readonly more: number;
}

export interface HomeCard {
  readonly content: Content;
  /** Address of the thread; null if the platform provides none. */
  readonly link: string | null;
}

export interface HomeRun {
  readonly title: string;
  readonly phase: string;
  readonly link: string | null;
}

export interface Suggestion {
  readonly title: string;
  readonly message: string;
}

export interface StepsReader {
  /** Returns the steps of a turn for the person who asked; a sentence if they cannot be shown. Changes nothing. */
  steps(ask: StepsAsk): Promise<StepSheet | string>;
}

/** Request of a person to see the steps of a turn (TH4). */
export interface StepsAsk extends MessageLocation {
  readonly person: string;
  /** `CONVERSATION/TURN`. Without a turn: the conversation's latest turn. Empty: the thread's conversation. */
  readonly value: string;
}

export interface StepSheet {
  readonly conversation: Conversation;
  readonly asker: string | null;
  /** Null before the turn was answered. */
  readonly footer: (PostBody & { readonly kind: "footer" }) | null;
  readonly citations: readonly Citation[];
  readonly steps: readonly ListedStep[];
  /** Notes of the channel that the model read, one line each. */
  readonly notes: readonly string[];
  readonly say: Say;
  /** Whether this person may see the output of the steps and the cost of the turn. */
  readonly isWhole: boolean;
}

export interface RepoPick extends Place {
  readonly person: string;
  readonly direct: boolean;
  readonly repo: string;
}
