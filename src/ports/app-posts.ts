/** Posts of apps at the top of channels. No member throws or rejects. */

import type { HandleResult, AppMessage } from "./chat.ts";

export interface AppPosts {
  /** `app`: all ids of the app. */
  hears(surface: string, place: string, app: readonly string[]): boolean;
  take(surface: string, posted: AppMessage): Promise<HandleResult>;
}

export const NO_APP_POSTS: AppPosts = { hears: () => false, take: async () => "done" };
