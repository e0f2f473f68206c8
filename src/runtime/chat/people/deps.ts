import type { AppPosts } from "../../../ports/app-posts.ts";
import type { Bot } from "../../../ports/bot.ts";
import type { ReadName } from "../../../ports/channels.ts";
import type { ChatPlatform } from "../../../ports/chat-platform.ts";
import type { ChatStore } from "../../../ports/chat-rows.ts";
import type { Chat, Click, HandleResult, MessageLocation } from "../../../ports/chat.ts";
import type { ChannelNotes } from "../../../ports/notes.ts";
import type { FeedbackRows } from "../../../ports/feedback.ts";
import type { Ambient } from "../../../ports/host.ts";
import type { ReadLinks } from "../../../ports/links.ts";
import type { PlatformForms } from "../../../ports/platform-entry.ts";
import type { FileRules } from "../../../ports/files.ts";
import type { Pictures } from "../../../ports/pictures.ts";
import type { Replies } from "../../../ports/replies.ts";
import type { Cards } from "../../../ports/review.ts";
import type { Blobs, Store } from "../../../ports/store.ts";
import type { Ledger } from "../../../ports/surface.ts";
import type { ModelNames, ScriptedModel } from "../../../ports/model.ts";
import type { Mode } from "../../../ports/tools.ts";
import type { Rate } from "./rate.ts";
import type { Repos } from "../../channels/repos.ts";
import type { Policy } from "./rights.ts";
import type { RenderCard } from "./waiting-card.ts";
import type { FindCallWording } from "../../../thread/call-text.ts";
import type { createLruCache } from "../../../text/lru-cache.ts";
import { sayIn } from "../../../i18n/languages.ts";
import type { Language, Say } from "../../../i18n/say.ts";

export interface ChatDeps extends Ambient {
  readonly name: string;
  readonly forms: PlatformForms;
  readonly mention: string;
  /** Uses the language of the channel, or of the person who gets the reply. */
  readonly say: Say;
  readonly languageAt: (place: string) => Language;
  readonly bot: Bot;
  readonly ledger: Pick<Ledger, "find" | "lived" | "thread">;
  readonly question: Store["question"];
  readonly cards: Cards;
  readonly readName: ReadName;
  readonly store: ChatStore;
  readonly platform: ChatPlatform;
  readonly policy: Policy;
  readonly rate: Rate;
  /** Threads (`PLACE/ROOT`) in which a message arrived before the mention that starts the conversation. */
  readonly overtaking: Pick<ReturnType<typeof createLruCache<true>>, "get" | "forget">;
  /** Newest texts of messages that address the bot, by their ids, so that an edit does not repeat a command. */
  readonly latestTexts: Pick<ReturnType<typeof createLruCache<string>>, "get" | "set">;
  readonly replies: Pick<Replies, "owe" | "tell">;
  readonly repos: Repos;
  readonly answerUnbound: (place: string) => Promise<boolean>;
  /** Null if every channel is allowed. */
  readonly places: readonly string[] | null;
  readonly modes: readonly Mode[];
  readonly toolLooks: FindCallWording;
  readonly models: ModelNames;
  readonly appPosts: AppPosts;
  readonly readLinks: ReadLinks;
  readonly clicks: Clicks;
  readonly feedback: FeedbackRows;
  readonly pictures: Pictures;
  readonly files: FileRules;
  readonly blobs: Pick<Blobs, "put">;
  readonly render: RenderCard;
  readonly memory?: Pick<ChannelNotes, "lines">;
  /** Suggestions of a scripted model; absent for other models. */
  readonly next?: NonNullable<ScriptedModel["next"]>;
}

/** `hear`: handles text of the person like a message. */
export type FeatureClick = (deps: ChatDeps, hear: Chat["said"], click: Click) => Promise<HandleResult>;

export type Clicks = ReadonlyMap<string, FeatureClick>;

export interface RequestingPerson extends MessageLocation {
  readonly person: string;
}

export const toPerson = <D extends Pick<ChatDeps, "say">>(
  deps: D,
  { language }: { readonly language?: Language | undefined },
): D => (language === undefined ? deps : { ...deps, say: sayIn(language) });
