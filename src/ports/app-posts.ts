/** What apps post at the top of channels, for whoever begins threads for it. No member throws or rejects. */

import type { HandleResult, AppMessage } from "./chat.ts";

export interface AppPosts {
  /** Whether posts of the app, by any of its ids, are wanted in that channel. */
  hears(surface: string, place: string, app: readonly string[]): boolean;
  take(surface: string, posted: AppMessage): Promise<HandleResult>;
}

export const NO_APP_POSTS: AppPosts = { hears: () => false, take: async () => "done" };
