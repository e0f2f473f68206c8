/** Posts of apps at the top of channels, and reactions. No member throws or rejects. */

import type { HandleResult, AppMessage } from "./chat.ts";
import type { TakeReaction } from "./reactions.ts";

export interface AppPosts {
  /** `by`: all ids of the app, or the name of an emoji (`heardEmoji`). */
  hears(surface: string, place: string, by: readonly string[]): boolean;
  take(surface: string, posted: AppMessage): Promise<HandleResult>;
  readonly reacted: TakeReaction;
}

export const NO_APP_POSTS: AppPosts = { hears: () => false, take: async () => "done", reacted: async () => "done" };
