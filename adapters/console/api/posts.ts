/** The newest posts of a conversation, and earlier ones on request: what is read does not grow with it. */

import type { ConversationId } from "../../../src/machine/id.ts";
import type { Bot } from "../../../src/ports/bot.ts";
import type { PostRow } from "../../../src/ports/store.ts";
import type { PostPage } from "../render/api-types.ts";
import { ofConversation, readQuery } from "./body.ts";
import { unknownConversation } from "./problem.ts";
import { postsQuery } from "./schema.ts";

interface Newest {
  readonly rows: readonly PostRow[];
  /** Where the first of them stands; null where it is the conversation's first. */
  readonly earlier: number | null;
}

/** The last `count` before `before`. */
export const newestPosts = (bot: Bot, id: ConversationId, count: number, before?: number): Newest => {
  const rows: PostRow[] = [];
  for (const row of bot.latestPosts(id, before)) {
    if (rows.length === count) return { rows, earlier: rows.at(-1)?.ordinal ?? null };
    rows.push(row);
  }
  return { rows, earlier: null };
};

/** Its last posts: `last` (100) of them, from the one before `before`; `earlier` is the `before` of those that come earlier. */
export const readPosts = ofConversation(async ({ bot, presenterOf }, c, id) => {
  const { last, before } = readQuery(c, postsQuery, POSTS_USAGE);
  const detail = await bot.read(id);
  if (detail === null) throw unknownConversation();
  const { rows, earlier } = newestPosts(bot, id, last ?? 100, before);
  const page: PostPage = {
    posts: presenterOf(c.req.header("accept-language")).posts(detail, detail.question, rows),
    ...(earlier === null ? {} : { earlier }),
  };
  return c.json(page);
});

export const POSTS_USAGE = "last is a number from 1 to 1000, before the ordinal of a post.";
