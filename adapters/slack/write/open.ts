/**
 * Opens a new thread in a channel: a message of the bot that names the origin and carries the key of its
 * conversation in Slack's metadata. The channel is searched before and after the message is sent. So a
 * message that remained after a crash or a lost acknowledgement is found, and a late copy is deleted.
 */

import type { webApi } from "@slack/bolt";
import type { Place } from "../../../src/ports/conversation.ts";
import type { Opener, ThreadOpening } from "../../../src/ports/threads.ts";
import { permalinkOf } from "../read/channels.ts";
import { readPages } from "../read/pages.ts";
import { signedBlocks } from "./blocks.ts";
import { attemptSlackCall } from "../api/failure.ts";
import { createKeys, keyedMessage, postSlackMessage } from "./keyed.ts";
import { linkTo, slackPlain } from "./markup.ts";
import { originLine } from "../../post/phrases.ts";
import { slackDialect } from "./render.ts";

const keys = createKeys("parley_thread");
/** Maximum number of pages to search in a channel, from the newest back. */
const PAGES = 10;

export const createSlackOpener = (client: webApi.WebClient): Opener => ({
  open: (opening) =>
    attemptSlackCall(async () => {
      const before = await find(client, opening);
      const root = before ?? (await make(client, opening));
      const thread = { place: opening.from.place, root };
      return { kind: "opened", thread, link: await linkOf(client, thread) };
    }),
  link: (thread) => linkOf(client, thread),
});

const make = async (client: webApi.WebClient, opening: ThreadOpening): Promise<string> => {
  const sent = await send(client, opening, await linkOf(client, opening.from));
  return (await find(client, opening)) ?? sent;
};

const send = async (
  client: webApi.WebClient,
  opening: ThreadOpening,
  back: string | null,
): Promise<string> => {
  const { say } = opening;
  const another = say("another thread");
  const from = back === null ? another : linkTo(back, another);
  return postSlackMessage(client, {
    channel: opening.from.place,
    text: say("Continued here: {thread}", { thread: slackPlain(opening.title) }).slice(0, MAX_FALLBACK),
    blocks: signedBlocks([originLine(opening, from, slackDialect(say))]),
    metadata: keys.carrying(opening.key),
  });
};

/**
 * Returns the first message with the key and deletes its copies. Searches from the newest page back to the
 * origin.
 */
const find = async (client: webApi.WebClient, { key, from }: ThreadOpening): Promise<string | null> => {
  const range = { channel: from.place, oldest: from.root, include_all_metadata: true };
  const { messages } = await readPages(client, keyedMessage, "conversations.history", range, PAGES);
  const found = messages.flatMap(({ ts, metadata }) => (keys.isCarried(key, metadata) ? [ts] : []));
  const [first = null, ...copies] = found.toSorted();
  for (const ts of copies) await client.apiCall("chat.delete", { channel: from.place, ts });
  return first;
};

/** Returns null on failure, because only the link is omitted then. */
const linkOf = (client: webApi.WebClient, thread: Place): Promise<string | null> =>
  permalinkOf(client, thread).catch(() => null);

const MAX_FALLBACK = 200;
