/**
 * Reads messages from the time without a connection and passes them on with their usual ids, so that received
 * messages are recognized. One function call can cause many API calls if there are many pages. Nothing is retried here.
 */

import { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Backlog, MissedMessages, Source } from "../../../src/ports/chat-rows.ts";
import { millisOfTs, slackMessage, tsAt } from "../read/message.ts";
import { readAllPages, readPages } from "../read/pages.ts";
import { slackFailureOf } from "../api/failure.ts";
import { metadataOf } from "../write/surface.ts";
import { admitEnvelope, type SlackInboundContext } from "./inbound.ts";

/** Number of older channel messages whose threads may have newer replies. */
const LOOK_BACK = 200;
/** Maximum number of a channel's unknown threads that are read for mentions, the latest first. */
const MOST_THREADS = 30;

export const createSlackBacklog = (client: webApi.WebClient, ears: SlackInboundContext): Backlog => ({
  missed: async (source) => {
    try {
      return await (source.root === null
        ? missedInChannel(client, source, ears)
        : missedInThread(client, source, source.root, ears));
    } catch (error) {
      return slackFailureOf(error);
    }
  },
  markOf: (wire) => wire,
  sweep: {
    timeOf: millisOfTs,
    positionAt: tsAt,
    places: async () => {
      try {
        return { kind: "places", places: await readPlaces(client) };
      } catch (error) {
        return slackFailureOf(error);
      }
    },
  },
});

type Arrived = (MissedMessages & { readonly kind: "read" })["arrivals"][number];

const missedInThread = async (
  client: webApi.WebClient,
  { place, since }: Source,
  root: string,
  ears: SlackInboundContext,
): Promise<MissedMessages> => {
  const messages = await readReplies(client, place, root, since);
  const ours = messages
    .flatMap(metadataOf)
    .flatMap(({ id, wire }) => (wire === null ? [] : [{ id, mark: wire }]));
  return { kind: "read", arrivals: messages.flatMap((one) => arrivedIn(place, one, ears)), ours };
};

const missedInChannel = async (
  client: webApi.WebClient,
  { place: channel, since }: Source,
  ears: SlackInboundContext,
): Promise<MissedMessages> => {
  const range = { channel, oldest: since };
  const read = await readPages(client, readMessage, "conversations.history", range);
  const newer = read.messages.filter(({ ts }) => Number(ts) > Number(since));
  const before = { channel, latest: since, limit: LOOK_BACK };
  const { messages: older } = await readPages(client, readMessage, "conversations.history", before, 1);
  // A top message that mentions the bot is a request, even if the bot was mentioned in its thread later.
  const begins: SlackInboundContext = { ...ears, knows: () => false };
  const tops = newer.flatMap((one) => arrivedIn(channel, one, begins));
  // A post that a watch reads begins no conversation, so replies below that post are not for Parley.
  const asking: SlackInboundContext = { ...begins, sees: () => false };
  const begun = new Set(
    newer.flatMap((one) => arrivedIn(channel, one, asking).map(({ position }) => position)),
  );
  const { self, knows } = ears;
  const strange = [...newer, ...older]
    .filter(
      ({ ts, latest_reply: latest }) =>
        latest !== undefined && Number(latest) > Number(since) && !knows(channel, ts),
    )
    .toSorted((a, b) => Number(b.latest_reply) - Number(a.latest_reply));
  const replies: Arrived[] = [];
  for (const { ts, reply_users: users } of strange.slice(0, MOST_THREADS)) {
    const isTaken = users.includes(self.user);
    replies.push(
      ...(await missedInStrange(client, { place: channel, root: ts, since }, ears, begun.has(ts), isTaken)),
    );
  }
  const left = Math.max(0, strange.length - MOST_THREADS);
  return {
    kind: "read",
    arrivals: [
      ...tops.map((one) => ({
        ...one,
        isTaken: isTakenIn(newer, one, self.user, knows(channel, one.position)),
      })),
      ...replies,
    ],
    ours: [],
    left,
  };
};

/** In an unknown thread, the conversation starts with the first mention and includes all later messages. */
const missedInStrange = async (
  client: webApi.WebClient,
  { place, root, since }: Source & { readonly root: string },
  ears: SlackInboundContext,
  isBegun: boolean,
  isTaken: boolean,
): Promise<readonly Arrived[]> => {
  let isOurs = isBegun;
  const heeding: SlackInboundContext = { ...ears, knows: () => isOurs };
  return (await readReplies(client, place, root, since)).flatMap((one) => {
    const [arrived] = one.ts === root ? [] : arrivedIn(place, one, heeding);
    if (arrived === undefined) return [];
    isOurs = true;
    return [{ ...arrived, isTaken }];
  });
};

const isTakenIn = (
  messages: readonly Message[],
  { position }: Arrived,
  self: string,
  isKnown: boolean,
): boolean =>
  !isKnown && messages.some(({ ts, reply_users: users }) => ts === position && users.includes(self));

const readReplies = async (
  client: webApi.WebClient,
  channel: string,
  root: string,
  oldest: string,
): Promise<readonly Message[]> => {
  const range = { channel, oldest, ts: root, include_all_metadata: true };
  const { messages } = await readPages(client, readMessage, "conversations.replies", range);
  return messages.filter(({ ts }) => Number(ts) > Number(oldest));
};

/**
 * Returns all channels and direct messages of the bot. An app that was installed long ago lacks the scope for
 * group messages.
 */
const readPlaces = (client: webApi.WebClient): Promise<readonly string[]> =>
  readPlacesOf(client, `${PLACES},mpim`).catch((error: unknown) => {
    if (error instanceof webApi.WebAPIPlatformError && error.data.error === "missing_scope")
      return readPlacesOf(client, PLACES);
    throw error;
  });

const PLACES = "public_channel,private_channel,im";

const readPlacesOf = async (client: webApi.WebClient, types: string): Promise<readonly string[]> => {
  const range = { types, exclude_archived: true };
  const { entries } = await readAllPages(client, "users.conversations", range, (page) =>
    placesPage.parse(page).channels.map(({ id }) => id),
  );
  return entries;
};

const placesPage = z.object({ channels: z.array(z.object({ id: z.string() })) });

/** Slack lists no edits: an edit is only found with its message, if that is read again. */
const arrivedIn = (
  channel: string,
  { metadata: _metadata, ...message }: Message,
  ears: SlackInboundContext,
): readonly Arrived[] => {
  const edit = { type: "message", subtype: "message_changed", channel, ts: message.ts, message };
  const events = [{ ...message, type: "message", channel }, ...(message.edited === undefined ? [] : [edit])];
  return events.flatMap((event) => {
    const arrival = admitEnvelope({ type: "event_callback", event }, ears);
    return arrival === null ? [] : [{ arrival, position: message.ts, isTaken: false }];
  });
};

const readMessage = slackMessage.extend({
  metadata: z.unknown().optional(),
  reply_users: z.array(z.string()).default([]),
  latest_reply: z.string().optional(),
});
type Message = z.output<typeof readMessage>;
