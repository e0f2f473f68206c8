/** Finds threads that were opened earlier, by the mark of their first message. */

import { ChannelType } from "discord-api-types/v10";
import * as z from "zod";
import type { ThreadOpening } from "../../../src/ports/threads.ts";
import { messageKey } from "./message-key.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { isNewer } from "../read/message.ts";

export interface ThreadSearch {
  readonly calls: DiscordCalls;
  readonly opening: ThreadOpening;
  readonly bot: string;
  readonly guild: string;
}

export const PRIVATE: readonly number[] = [ChannelType.PrivateThread];
const PAGE = 100;
/** Maximum number of pages to search in a channel, from the newest back. */
const PAGES = 10;
/** Number of messages in a private thread that may contain the bot's first one. */
const BEGINNING = 20;

/**
 * In a text channel: returns the message that the thread belongs to. Searches from the newest page back to
 * the origin.
 */
export const messageIn = async (sought: Omit<ThreadSearch, "guild">): Promise<string | null> => {
  const { place, root } = sought.opening.from;
  let before: string | null = null;
  for (let pages = 0; pages < PAGES; pages += 1) {
    const query = { limit: String(PAGE), ...(before === null ? {} : { before }) };
    const page = messages.parse(await sought.calls.call("GET", `/channels/${place}/messages`, { query }));
    const found = page.find((one) => isMarked(sought, one));
    if (found !== undefined) return found.id;
    before = page.at(-1)?.id ?? null;
    if (page.length < PAGE || before === null || !isNewer(before, root)) return null;
  }
  return null;
};

/** In a forum: returns the post. The first message of a post has the post's id. */
export const postOf = async (sought: ThreadSearch): Promise<string | null> => {
  for (const { id } of await ours(sought)) {
    const first = await sought.calls.call("GET", `/channels/${id}/messages/${id}`).catch(() => null);
    const read = message.safeParse(first);
    if (read.success && isMarked(sought, read.data)) return id;
  }
  return null;
};

/** Returns a private thread of that name with the first message, or without any message yet. */
export const privateThreadOf = async (sought: ThreadSearch, name: string): Promise<string | null> => {
  const named = (await ours(sought)).filter((one) => PRIVATE.includes(one.type) && one.name === name);
  for (const { id } of named) {
    const written = await beginning(sought, id);
    if (written.some((one) => isMarked(sought, one)) || written.every(({ type }) => type !== 0)) return id;
  }
  return null;
};

export const hasThreadMark = async (sought: ThreadSearch, thread: string): Promise<boolean> =>
  (await beginning(sought, thread)).some((one) => isMarked(sought, one));

const beginning = async ({ calls }: ThreadSearch, thread: string) => {
  const query = { after: "0", limit: String(BEGINNING) };
  return messages.parse(await calls.call("GET", `/channels/${thread}/messages`, { query }));
};

/** Returns the bot's open threads of the channel that are newer than the origin. */
const ours = async ({ calls, opening: { from }, bot, guild }: ThreadSearch) => {
  return (await activeThreads(calls, guild)).filter(
    ({ id, parent_id: parent, owner_id: owner }) =>
      parent === from.place && owner === bot && isNewer(id, from.root),
  );
};

/** Returns all open threads of the server that the bot can see. */
export const activeThreads = async (
  calls: DiscordCalls,
  guild: string,
): Promise<z.output<typeof active>["threads"]> =>
  active.parse(await calls.call("GET", `/guilds/${guild}/threads/active`)).threads;

const isMarked = (
  { bot, opening }: Pick<ThreadSearch, "bot" | "opening">,
  { author, components }: z.output<typeof message>,
): boolean => author.id === bot && components[0]?.id === messageKey(opening.key);

const message = z.object({
  id: z.string(),
  type: z.int(),
  author: z.object({ id: z.string() }),
  components: z.array(z.object({ id: z.int() })),
});
const messages = z.array(message);
const active = z.object({
  threads: z.array(
    z.object({
      id: z.string(),
      type: z.int(),
      name: z.string(),
      parent_id: z.string().nullish(),
      owner_id: z.string().optional(),
    }),
  ),
});
