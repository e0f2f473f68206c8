/**
 * What chat surfaces share: what arrives, and the manners (src/runtime/chat) that answer it. No member throws or
 * rejects.
 */

import type { Millis } from "../machine/id.ts";
import type { Citation } from "../text/citation.ts";
import type { PostBody } from "../thread/post.ts";
import type { ListedStep } from "../thread/step-list.ts";
import type { RepositoryBinding, Conversation, Place } from "./conversation.ts";
import type { WriteFailure } from "./host.ts";
import type { ClickAction } from "./questions.ts";
import type { Addressee } from "./surface.ts";
import type { Say } from "../i18n/say.ts";

/** Something that the platform sent, before it is acknowledged (D20). */
export interface InboundEvent {
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
interface MessagePlace extends Place {
  /**
   * Its order within the place: of two the longer is later, of two as long the one that sorts later. The same kind of
   * id as `root`, and equal to it where the message may begin a thread.
   */
  readonly position: string;
}

export interface InboxRow extends Omit<InboundEvent, "insist"> {
  readonly at: Millis;
}

export type InboundResult = { readonly kind: "stored" } | { readonly kind: "known" } | WriteFailure;

/** Where something was said. */
export interface MessageLocation {
  readonly place: string;
  /** The message that the thread hangs on; null outside of threads. */
  readonly root: string | null;
  /** One person and the bot, nobody else can read it. */
  readonly direct: boolean;
}

/** A message that a person wrote. */
export interface ChatMessage extends MessageLocation {
  /** Of the claim: unique within the surface. */
  readonly id: string;
  /** The platform's id of the message. */
  readonly message: string;
  readonly person: string;
  /** Plain text without the mention of the bot. */
  readonly text: string;
  /** The same with ids instead of names, as commands read it; absent if they do not differ. */
  readonly typed?: string;
  /** The bot is mentioned, or nobody else could be meant. */
  readonly addressed: boolean;
  /** It stands where many help each other, and nobody who only talks is told anything. */
  readonly forum?: boolean;
  readonly files: readonly SharedFile[];
  /** What the platform shows below the message: unfurled links, quoted messages. Null: it may still add some. */
  readonly shown: readonly Quote[] | null;
  /** The message of the thread that it is about; null where it is about none in particular. */
  readonly about: string | null;
  /** What it is about, where that is not what the place works on. */
  readonly repo?: RepositoryBinding;
}

/** What an app posted at the top of a channel. */
export interface AppMessage {
  readonly place: string;
  /** The platform's id of the message. */
  readonly message: string;
  /** Every id that the platform has for whoever posted it. */
  readonly by: readonly string[];
  readonly title: string;
  readonly text: string;
  readonly link: string | null;
  /** What posts of one matter share. */
  readonly matter: string;
  readonly at: Millis;
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
  /** Text of the file that came with the message, such as an e-mail's words; absent if the file has to be fetched. */
  readonly text?: string;
  /** Why the platform does not serve the file; absent if it does. */
  readonly withheld?: string;
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
export interface ThreadMessage extends Quote {
  readonly message: string;
  /** Null where no person wrote it. */
  readonly person: string | null;
  /** The bot wrote it. */
  readonly ours: boolean;
  readonly files: readonly SharedFile[];
  readonly shown: readonly Quote[];
}

/** A click on a button of a post or of a private reply. */
export interface Click extends MessageLocation {
  /** Unique within the surface: the same click handled again has the same. */
  readonly id: string;
  readonly person: string;
  readonly action: ClickAction;
  /** The button's: wire id of a question, conversation, answer, or claim (D10). */
  readonly value: string;
  /** What a person added to a decision. */
  readonly comment: string | null;
  /** A gesture that may well be meant otherwise: where it changes nothing, nothing is said. */
  readonly quiet: boolean;
}

/** A question that stands in no message of the person: from a command, or about somebody's message. */
export interface CommandQuestion {
  /** Unique within the surface: the same question redone has the same. */
  readonly id: string;
  readonly place: string;
  readonly direct: boolean;
  readonly person: string;
  readonly text: string;
  /** The message that it is about, and the thread that this hangs on; null opens a thread. */
  readonly about: { readonly message: string; readonly root: string } | null;
  /** When it arrived; absent if the platform does not need it to find what was put before. */
  readonly at?: Millis;
  /** Tells the person alone. */
  readonly reply: (text: string) => Promise<void>;
}

/** `/parley …`: outside of threads. `typed`: as in {@link ChatMessage}. */
export type Slash = Omit<CommandQuestion, "about"> & Pick<ChatMessage, "typed">;

/** A message that was deleted, by whoever wrote it or by a moderator. */
export interface DeletedMessage extends Place {
  /** Null where its whole thread was. */
  readonly message: string | null;
  /** When it was written: what quotes of it carry. */
  readonly at: Millis;
}

export interface Inbox {
  /** Settles when the row is on the disk: acknowledge after it. */
  arrive(arrival: InboundEvent): Promise<InboundResult>;
  /** Something of that lane has arrived and is not handled yet. */
  awaits(lane: string): boolean;
  /** Handles what the last process left. */
  start(): void;
  /** Takes nothing more; settles when what is being handled has ended. */
  close(): Promise<void>;
}

/** What handling a row came to. `later`: it stays open, and is handled again. */
export type HandleResult = "done" | "later";

/** What was written. */
interface Hearing {
  /** `last`: it is not handled again, so that what still fails is told to the person. */
  said(said: ChatMessage, last: boolean): Promise<HandleResult>;
  /** A message of which nobody could read where it stands, after the last try: the person is told so (D7). */
  unplaced(to: Addressee, message: string, why: string): Promise<HandleResult>;
  /** For whoever wants posts of the app there. */
  posted(posted: AppMessage): Promise<HandleResult>;
}

/** The manners that chat surfaces share. */
export interface Chat extends Hearing, StepsReader {
  clicked(click: Click): Promise<HandleResult>;
  /** The platform let somebody mark the thread of an answer as solved. `value`: of the button. */
  solved(where: Place, value: string): Promise<HandleResult>;
  picked(pick: RepoPick): Promise<HandleResult>;
  asked(ask: CommandQuestion): Promise<HandleResult>;
  slash(slash: Slash): Promise<HandleResult>;
  removed(removed: DeletedMessage): Promise<HandleResult>;
  /** By the host's own list. */
  mayApprove(person: string): Promise<boolean>;
}

export interface StepsReader {
  /** What a turn did, for who asked to see it; a sentence where that cannot be shown. Changes nothing. */
  steps(ask: StepsAsk): Promise<StepSheet | string>;
}

/** Somebody wants to see what a turn did (TH4). */
export interface StepsAsk extends MessageLocation {
  readonly person: string;
  /** `CONVERSATION/TURN`; the conversation alone means its latest turn, nothing the thread's. */
  readonly value: string;
}

export interface StepSheet {
  readonly conversation: Conversation;
  /** How people read the name of who asked; null where nobody did. */
  readonly asker: string | null;
  /** What the turn cost and took; null where it has not been answered. */
  readonly footer: (PostBody & { readonly kind: "footer" }) | null;
  /** Of all that the turn said. */
  readonly citations: readonly Citation[];
  readonly steps: readonly ListedStep[];
  /** In which it is told. */
  readonly say: Say;
  /** Whether this person sees what the steps wrote, and what the turn cost. */
  readonly isWhole: boolean;
}

/** A person chose the repository of a place. */
export interface RepoPick extends Place {
  readonly person: string;
  readonly direct: boolean;
  /** A name from the choices. */
  readonly repo: string;
}
