/**
 * The newest posts of a conversation, and earlier ones on request, so that the cost of a read does not grow
 * with the conversation.
 */

import type { PostPage } from "../render/api-types.ts";
import { omitUndefined } from "../../../text/omit-undefined.ts";
import { newestPosts } from "./feed.ts";
import { urlQueryOf } from "../../../../adapters/http/body.ts";
import { ofConversation } from "./handler.ts";
import { unknownConversation } from "./refusal.ts";
import { postsQuery } from "./schema.ts";

/**
 * The last posts: `last` (100) of them, before the ordinal `before`. `earlier` in the response is the next
 * value of `before`.
 */
export const readPosts = ofConversation(async ({ bot, presenterOf }, c, id) => {
  const { last, before } = urlQueryOf(c.req.raw, postsQuery, POSTS_USAGE);
  const detail = await bot.read(id);
  if (detail === null) throw unknownConversation();
  const { rows, earlier } = newestPosts(bot, id, last ?? 100, before);
  const page: PostPage = {
    posts: presenterOf(c.req.header("accept-language")).posts(detail, detail.question, rows),
    ...omitUndefined({ earlier: earlier ?? undefined }),
  };
  return c.json(page);
});

export const POSTS_USAGE = "last is a number from 1 to 1000, before the ordinal of a post.";
