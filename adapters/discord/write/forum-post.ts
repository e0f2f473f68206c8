/**
 * Posts in a forum, which accepts no plain message (WD11). A post is a thread with a first message, whose id
 * is the thread's. A forum may require a tag; people set moderated tags, and the maximum is five.
 */

import * as z from "zod";
import { type channel, readDiscordChannel } from "../read/channel.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { activeThreads } from "./thread-search.ts";
import { idIn } from "./post-message.ts";
import { ARCHIVED_AFTER, threadTitle } from "./start-thread.ts";

export const MAX_TAGS = 5;
const REQUIRES_TAG = 1 << 4;
/** Maximum number of the bot's posts to search. */
const SEARCHED = 25;

interface NewPost {
  readonly forum: string;
  readonly name: string;
  readonly message: object;
  /** Ids of tags, for example those of the post that this one continues. */
  readonly wanted?: readonly string[];
}

export const createPost = async (
  calls: DiscordCalls,
  { forum, name, message, wanted = [] }: NewPost,
): Promise<string> => {
  const tags = tagsFor(await readDiscordChannel(calls, forum), wanted);
  const body = { ...ARCHIVED_AFTER, message, ...(tags.length === 0 ? {} : { applied_tags: tags }) };
  const named = (title: string): Promise<unknown> =>
    calls.call("POST", `/channels/${forum}/threads`, { body: { name: title, ...body } });
  return idIn(await threadTitle(name, named));
};

/** Tags that the bot may set: the wanted ones, otherwise one if the forum requires a tag. */
const tagsFor = (
  { flags, available_tags: available }: Pick<z.output<typeof channel>, "flags" | "available_tags">,
  wanted: readonly string[],
): readonly string[] => {
  const free = available.filter(({ moderated }) => !moderated).map(({ id }) => id);
  const kept = wanted.filter((id) => free.includes(id)).slice(0, MAX_TAGS);
  const isLacking = kept.length === 0 && (flags & REQUIRES_TAG) !== 0;
  return isLacking ? [...free, ...available.map(({ id }) => id)].slice(0, 1) : kept;
};

/** Returns the newest open post of the bot whose first message matches; null if none does. */
export const findPost = async (
  calls: DiscordCalls,
  { forum, bot }: { readonly forum: string; readonly bot: string },
  isSought: (one: z.output<typeof firstMessage>) => boolean,
): Promise<string | null> => {
  const { guild_id: guild } = await readDiscordChannel(calls, forum);
  if (guild === undefined) return null;
  const posts = (await activeThreads(calls, guild))
    .filter(({ parent_id: parent, owner_id: owner }) => parent === forum && owner === bot)
    .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
    .slice(0, SEARCHED);
  for (const { id } of posts) {
    const answer = await calls.call("GET", `/channels/${id}/messages/${id}`).catch(() => null);
    const read = firstMessage.safeParse(answer);
    if (read.success && isSought(read.data)) return id;
  }
  return null;
};

const firstMessage = z.object({
  id: z.string(),
  content: z.string().default(""),
  components: z.array(z.object({ id: z.int().optional() })).default([]),
});
