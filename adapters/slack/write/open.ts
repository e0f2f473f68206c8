/**
 * A new thread in a channel: a message of the bot's that says where it comes from. It carries the key of its
 * conversation in Slack's metadata. The channel is looked through before it is sent, and after it, so that what a crash
 * or a lost acknowledgement left is found, and a copy that came late is taken back.
 */

import type { webApi } from "@slack/bolt";
import type { Place } from "../../../src/ports/conversation.ts";
import type { Opener, Opening } from "../../../src/ports/threads.ts";
import { permalinkOf } from "../read/channels.ts";
import { readPages } from "../read/pages.ts";
import { signed } from "./blocks.ts";
import { attempt } from "../api/failure.ts";
import { createKeys, keyedMessage, postMessage } from "./keyed.ts";
import { linkTo, plain } from "./markup.ts";
import { originLine } from "../../post/phrases.ts";
import { slackDialect } from "./render.ts";

const keys = createKeys("parley_thread");
/** Messages of a channel are looked through from the newest back, at most so many pages. */
const PAGES = 10;

export const createOpener = (client: webApi.WebClient): Opener => ({
  open: (opening) =>
    attempt(async () => {
      const before = await find(client, opening);
      const root = before ?? (await make(client, opening));
      const thread = { place: opening.from.place, root };
      return { kind: "opened", thread, link: await linkOf(client, thread) };
    }),
  link: (thread) => linkOf(client, thread),
});

const make = async (client: webApi.WebClient, opening: Opening): Promise<string> => {
  const sent = await send(client, opening, await linkOf(client, opening.from));
  return (await find(client, opening)) ?? sent;
};

const send = async (client: webApi.WebClient, opening: Opening, back: string | null): Promise<string> => {
  const { say } = opening;
  const another = say("another thread");
  const from = back === null ? another : linkTo(back, another);
  return postMessage(client, {
    channel: opening.from.place,
    text: say("Continued here: {thread}", { thread: plain(opening.title) }).slice(0, MAX_FALLBACK),
    blocks: signed([originLine(opening, from, slackDialect(say))]),
    metadata: keys.carrying(opening.key),
  });
};

/** The first message with the key; others of it are removed. Newest pages first, back to where it comes from. */
const find = async (client: webApi.WebClient, { key, from }: Opening): Promise<string | null> => {
  const range = { channel: from.place, oldest: from.root, include_all_metadata: true };
  const { messages } = await readPages(client, keyedMessage, "conversations.history", range, PAGES);
  const found = messages.flatMap(({ ts, metadata }) => (keys.isCarried(key, metadata) ? [ts] : []));
  const [first = null, ...copies] = found.toSorted();
  for (const ts of copies) await client.apiCall("chat.delete", { channel: from.place, ts });
  return first;
};

/** Without it a link is only left out. */
const linkOf = (client: webApi.WebClient, thread: Place): Promise<string | null> =>
  permalinkOf(client, thread).catch(() => null);

const MAX_FALLBACK = 200;
