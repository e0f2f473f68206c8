/** A thread read back: what people wrote before, oldest first, with the names that they go by. */

import * as z from "zod";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Earlier } from "../../../src/ports/chat.ts";
import { newestOf } from "../../text/newest.ts";
import type { Calls } from "../write/api.ts";
import { unreadOf } from "./people.ts";
import {
  type DiscordMessage,
  discordMessage,
  filesOf,
  isNewer,
  millisOf,
  repliedOf,
  shownOf,
  textOf,
} from "./message.ts";
import type { Names } from "./plain.ts";
import { nameOf } from "./visible.ts";

/** Stands in a thread for the message that it hangs on. */
const STARTER = 21;
/** Messages of people and apps, and the result of a poll. */
const WORDS: readonly number[] = [0, 19, 20, 23, 46];
const PAGE = 100;

export const createEarlier =
  (calls: Calls, names: Names): ChatPlatform["earlier"] =>
  async ({ place, root }, { since, until, limit, about }) => {
    try {
      const query = { before: until, limit: String(PAGE) };
      const page = messages.parse(await calls.call("GET", `/channels/${root}/messages`, { query }));
      const newer = page.filter(({ id }) => since === null || isNewer(id, since)).toReversed();
      const isFull = page.length === PAGE && newer.length === PAGE;
      const first = isFull && since === null && root !== place ? await firstOf(calls, root) : [];
      const all = [...first.filter(({ id }) => newer.every((one) => one.id !== id)), ...newer];
      // The message that a thread hangs on is older than the thread's first: read before means told before.
      const hangs = (since === null || isNewer(root, since)) && all.some(({ type }) => type === STARTER);
      const starter = hangs ? await starterOf(calls, place, root) : [];
      const wanted = [...starter, ...all.filter(({ type }) => WORDS.includes(type))];
      const kept = newestOf(wanted, limit, ({ id }) => id === about);
      const told = new Set(kept.map(({ id }) => id));
      return {
        kind: "messages",
        messages: kept.map((one) => earlierOf(one, names, told)),
        cut: kept.length < wanted.length || isFull,
      };
    } catch (error) {
      return unreadOf(error);
    }
  };

/** The oldest message of a thread: a forum's post, or the line that stands for the message that the thread hangs on. */
const firstOf = async (calls: Calls, root: string): Promise<readonly DiscordMessage[]> => {
  const query = { after: "0", limit: "1" };
  return messages.parse(await calls.call("GET", `/channels/${root}/messages`, { query }));
};

/** It stays in the channel, and may be gone. */
const starterOf = async (calls: Calls, place: string, root: string): Promise<readonly DiscordMessage[]> => {
  const answer = await calls.call("GET", `/channels/${place}/messages/${root}`).catch(() => null);
  const read = discordMessage.safeParse(answer);
  return read.success ? [read.data] : [];
};

/** `told`: ids of messages that are read back; a reply to one of them needs no quote of it. */
const earlierOf = (message: DiscordMessage, names: Names, told: ReadonlySet<string>): Earlier => {
  const { id, author, webhook_id: webhook } = message;
  const answered = repliedOf(message, names);
  const replied = answered === null || told.has(answered.id) ? null : answered;
  return {
    message: id,
    person: author.bot || webhook !== undefined ? null : author.id,
    ours: names.isSelf(author.id),
    author: nameOf(author),
    text: textOf(message, names),
    at: millisOf(id),
    files: [...filesOf(message), ...(replied?.files ?? [])],
    shown: [...(replied?.quotes ?? []), ...shownOf(message, names)],
  };
};

const messages = z.array(discordMessage);
