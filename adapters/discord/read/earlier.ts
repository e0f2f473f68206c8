/** A thread read back: what people wrote before, oldest first, with the names that they go by. */

import * as z from "zod";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Earlier } from "../../../src/ports/chat.ts";
import { newestOf } from "../../text/newest.ts";
import type { Identity } from "../listen/identity.ts";
import type { Calls } from "../write/api.ts";
import { unreadOf } from "./people.ts";
import {
  type DiscordMessage,
  discordMessage,
  filesOf,
  isNewer,
  millisOf,
  nameOf,
  shownOf,
  textOf,
} from "./message.ts";

/** Stands in a thread for the message that it hangs on. */
const STARTER = 21;
const WORDS: readonly number[] = [0, 19, 20, 23];
const PAGE = 100;

export const createEarlier =
  (calls: Calls, self: Identity): ChatPlatform["earlier"] =>
  async ({ place, root }, { since, until, limit, about }) => {
    try {
      const query = { before: until, limit: String(PAGE) };
      const page = messages.parse(await calls.call("GET", `/channels/${root}/messages`, { query }));
      const newer = page.filter(({ id }) => since === null || isNewer(id, since)).toReversed();
      // The message that a thread hangs on is older than the thread's first: read before means told before.
      const hangs = (since === null || isNewer(root, since)) && newer.some(({ type }) => type === STARTER);
      const starter = hangs ? await starterOf(calls, place, root) : [];
      const wanted = [...starter, ...newer.filter(({ type }) => WORDS.includes(type))];
      const kept = newestOf(wanted, limit, ({ id }) => id === about);
      return {
        kind: "messages",
        messages: kept.map((one) => earlierOf(one, self)),
        cut: kept.length < wanted.length || (page.length === PAGE && newer.length === PAGE),
      };
    } catch (error) {
      return unreadOf(error);
    }
  };

/** It stays in the channel, and may be gone. */
const starterOf = async (calls: Calls, place: string, root: string): Promise<readonly DiscordMessage[]> => {
  const answer = await calls.call("GET", `/channels/${place}/messages/${root}`).catch(() => null);
  const read = discordMessage.safeParse(answer);
  return read.success ? [read.data] : [];
};

const earlierOf = (message: DiscordMessage, { bot }: Identity): Earlier => {
  const { id, author, webhook_id: webhook } = message;
  return {
    message: id,
    person: author.bot || webhook !== undefined ? null : author.id,
    ours: author.id === bot,
    author: nameOf(author),
    text: textOf(message, bot),
    at: millisOf(id),
    files: filesOf(message),
    shown: shownOf(message),
  };
};

const messages = z.array(discordMessage);
