/** Reads current facts of channels: their audience, and the addresses of messages. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { ReadThread } from "../../../src/ports/answers.ts";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Place } from "../../../src/ports/conversation.ts";
import type { Log } from "../../../src/ports/host.ts";
import { createReadCoalescer } from "../../post/reads.ts";
import type { HeardAudiences } from "./heard-audiences.ts";
import { slackCourtesy } from "./people.ts";

export const createSlackChannels = (
  client: webApi.WebClient,
  log: Log,
): Pick<ChatPlatform, "audience" | "link"> => {
  const channelAt = createChannelAt(client);
  const asked = <T>(what: string, ask: () => Promise<T>): Promise<T | null> =>
    slackCourtesy(log, "slack: lookup failed", ask, { what });
  return {
    audience: (place) => asked("channel audience", async () => audienceOf(await channelAt(place))),
    link: (place, message) => asked("message link", () => permalinkOf(client, { place, root: message })),
  };
};

/** Slack archives channels, not threads, and a channel with a recent message is open. */
export const createReadSlackThread = (
  client: webApi.WebClient,
  heard: Pick<HeardAudiences, "of">,
): ReadThread => {
  const channelAt = createChannelAt(client);
  return async ({ place }, asOf) => {
    const audience = asOf === "lately" ? heard.of(place) : null;
    if (audience !== null) return { audience, isArchived: false };
    try {
      const channel = await channelAt(place);
      return { audience: audienceOf(channel), isArchived: channel.is_archived };
    } catch {
      return null;
    }
  };
};

type Channel = z.output<typeof info>["channel"];

/** Rejects as the client does. */
export const readSlackChannel = async (client: webApi.WebClient, channel: string): Promise<Channel> =>
  info.parse(await client.conversations.info({ channel })).channel;

/** Returns the address of a message. Rejects as the client does. */
export const permalinkOf = async (
  client: Pick<webApi.WebClient, "apiCall">,
  { place: channel, root: message_ts }: Place,
): Promise<string> =>
  permalink.parse(await client.apiCall("chat.getPermalink", { channel, message_ts })).permalink;

const createChannelAt = (client: webApi.WebClient) => {
  const reads = createReadCoalescer<Channel>();
  return (place: string): Promise<Channel> => reads(place, () => readSlackChannel(client, place));
};

const audienceOf = ({ is_channel: isChannel, is_private: isPrivate }: Channel) =>
  isChannel && !isPrivate ? "public" : "private";

const flag = z.boolean().default(false);
const info = z.object({
  channel: z.object({
    name: z.string().optional(),
    user: z.string().optional(),
    is_channel: flag,
    is_private: z.boolean().default(true),
    is_archived: flag,
    is_im: flag,
    is_mpim: flag,
    is_member: flag,
  }),
});
const permalink = z.object({ permalink: z.string() });
