/** Posts at the top of channels that nobody addressed to Parley. No member throws or rejects. */

import type { ConversationId } from "../machine/id.ts";
import type { ChatPlatform } from "./chat-platform.ts";
import type { AppMessage, ChatMessage, HandleResult, NewChannel } from "./chat.ts";
import type { Reactions } from "./reactions.ts";

export interface AppPosts {
  /** `by`: all ids of the app, or the name of an emoji (`heardEmoji`). */
  hears(surface: string, place: string, by: readonly string[]): boolean;
  take(surface: string, posted: AppMessage): Promise<HandleResult>;
  readonly reactions: Reactions;
  readonly people: PeoplePosts;
}

/** Posts of people (D55). */
export interface PeoplePosts {
  /** Whether posts of the person in the channel are read. */
  sees(surface: string, place: string, person: string): boolean;
  take(
    surface: string,
    said: ChatMessage,
    platform: Pick<ChatPlatform, "person" | "server">,
  ): Promise<HandleResult>;
  /** Whether words of the post are stored outside of conversations. */
  keeps(surface: string, place: string, post: string): boolean;
  /** The post was deleted, or its thread, which a forum's post does not survive. */
  removed(surface: string, place: string, post: string, what: "post" | "thread"): Promise<HandleResult>;
  created(
    surface: string,
    channel: NewChannel,
    platform: Pick<ChatPlatform, "audience">,
  ): Promise<HandleResult>;
  /** Author of the post below which a watch started the conversation; null for other conversations. */
  authorOf(conversation: ConversationId): string | null;
  /** Whether the person wrote that post and has not asked in the conversation yet. */
  takesOver(conversation: ConversationId, person: string): Promise<boolean>;
}

export const NO_APP_POSTS: AppPosts = {
  hears: () => false,
  take: async () => "done",
  reactions: { take: async () => "done" },
  people: {
    sees: () => false,
    take: async () => "done",
    keeps: () => false,
    removed: async () => "done",
    created: async () => "done",
    authorOf: () => null,
    takesOver: async () => false,
  },
};
