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
      return missedIn(await readAll(client, source), source, ears);
    } catch (error) {
      return troubleOf(error);
    }
  },
  markOf: (wire) => wire,
});

const readAll = async (
  client: webApi.WebClient,
  { place: channel, root, since: oldest }: Source,
): Promise<readonly Message[]> => {
  const { messages } = await (root === null
    ? readPages(client, readMessage, "conversations.history", { channel, oldest })
    : readPages(client, readMessage, "conversations.replies", {
        channel,
        oldest,
        ts: root,
        include_all_metadata: true,
      }));
  return messages.filter(({ ts }) => Number(ts) > Number(oldest));
};

const missedIn = (messages: readonly Message[], { place, root }: Source, ears: Ears): Missed => ({
  kind: "read",
  arrivals: messages.flatMap((message) => {
    const arrival = arrivalOf(place, message, ears);
    const { self, knows } = ears;
    const isTaken = root === null && message.reply_users.includes(self.user) && !knows(place, message.ts);
    return arrival === null ? [] : [{ arrival, position: message.ts, isTaken }];
  }),
  ours:
    root === null
      ? []
      : messages.flatMap(carriedBy).flatMap(({ id, wire }) => (wire === null ? [] : [{ id, mark: wire }])),
});

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
