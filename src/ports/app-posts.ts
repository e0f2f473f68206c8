/** Posts at the top of channels that nobody addressed to Parley. No member throws or rejects. */

import type { ChatPlatform } from "./chat-platform.ts";
import type { AppMessage, ChatMessage, HandleResult, NewChannel } from "./chat.ts";

export interface AppPosts {
  /** `app`: all ids of the app. */
  hears(surface: string, place: string, app: readonly string[]): boolean;
  take(surface: string, posted: AppMessage): Promise<HandleResult>;
  readonly people: PeoplePosts;
}

/** Posts of people (D55). */
export interface PeoplePosts {
  /** Whether posts of the person in the channel are read. */
  sees(surface: string, place: string, person: string): boolean;
  take(surface: string, said: ChatMessage, platform: Pick<ChatPlatform, "person">): Promise<HandleResult>;
  created(surface: string, channel: NewChannel): Promise<HandleResult>;
  /** Whether a thread below the post exists only because of the post, so that the thread is deleted with it. */
  removed(surface: string, place: string, post: string): boolean;
}

export const NO_APP_POSTS: AppPosts = {
  hears: () => false,
  take: async () => "done",
  people: {
    sees: () => false,
    take: async () => "done",
    created: async () => "done",
    removed: () => false,
  },
};
