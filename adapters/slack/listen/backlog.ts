/**
 * What people wrote while nobody listened, read from Slack and brought as it would have arrived: the same ids, so that
 * what did arrive is known. One member is many calls where there are many pages; nothing is retried here.
 */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Backlog, Missed, Source } from "../../../src/ports/chat-rows.ts";
import type { Arrival } from "../../../src/ports/chat.ts";
import { slackMessage } from "../read/message.ts";
import { readPages } from "../read/pages.ts";
import { troubleOf } from "../write/failure.ts";
import { carriedBy } from "../write/surface.ts";
import { admit, type Ears } from "./inbound.ts";

export const createBacklog = (client: webApi.WebClient, ears: Ears): Backlog => ({
  missed: async (source) => {
    try {
      return source.root === null
        ? inChannel(await readAll(client, source), source, ears)
        : inThread(await readAll(client, source), source, ears);
    } catch (error) {
      return troubleOf(error);
    }
  },
});

const readAll = async (
  client: webApi.WebClient,
  { place: channel, root, since: oldest }: Source,
): Promise<readonly Message[]> => {
  const { messages } = await readPages(readMessage, (range) =>
    root === null
      ? client.conversations.history({ channel, oldest, ...range })
      : client.conversations.replies({ channel, oldest, ts: root, include_all_metadata: true, ...range }),
  );
  return messages.filter(({ ts }) => Number(ts) > Number(oldest));
};

const inThread = (messages: readonly Message[], { place }: Source, ears: Ears): Missed => ({
  kind: "read",
  arrivals: messages.flatMap((message) => arrivalOf(place, message, ears) ?? []),
  ours: messages.flatMap(carriedBy),
  taken: new Set(),
});

const inChannel = (messages: readonly Message[], { place }: Source, ears: Ears): Missed => {
  const arrived = messages.flatMap((message) => {
    const arrival = arrivalOf(place, message, ears);
    return arrival === null ? [] : [{ arrival, isTaken: message.reply_users.includes(ears.self.user) }];
  });
  return {
    kind: "read",
    arrivals: arrived.map(({ arrival }) => arrival),
    ours: [],
    taken: new Set(arrived.filter(({ isTaken }) => isTaken).map(({ arrival }) => arrival.id)),
  };
};

const arrivalOf = (
  channel: string,
  { metadata: _metadata, ...message }: Message,
  ears: Ears,
): Arrival | null => admit({ type: "event_callback", event: { ...message, type: "message", channel } }, ears);

const readMessage = slackMessage.extend({
  metadata: z.unknown().optional(),
  reply_users: z.array(z.string()).default([]),
});
type Message = z.output<typeof readMessage>;
