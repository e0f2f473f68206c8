/** Messages with a key in Slack's metadata, so that a crash after a call causes no second post. */

import type { types, webApi } from "@slack/bolt";
import * as z from "zod";

export const createKeys = (type: string) => {
  const payload = z.object({
    event_type: z.literal(type),
    event_payload: z.object({ key: z.string(), hash: z.string().optional() }),
  });
  /** Null if the metadata contains no such key. */
  const carriedIn = (metadata: unknown) => payload.safeParse(metadata).data?.event_payload ?? null;
  return {
    /** `hash`: hash of the displayed content. */
    carrying: (key: string, hash: string | null = null) => ({
      event_type: type,
      event_payload: { key, ...(hash === null ? {} : { hash }) },
    }),
    carriedIn,
    isCarried: (key: string, metadata: unknown): boolean => carriedIn(metadata)?.key === key,
  };
};

/** Returns the message's id. Rejects as the client does. */
export const postSlackMessage = async (
  client: Pick<webApi.WebClient, "apiCall">,
  message: Readonly<Record<string, unknown>>,
): Promise<string> => {
  const quiet = { unfurl_links: false, unfurl_media: false };
  return posted.parse(await client.apiCall("chat.postMessage", { ...message, ...quiet })).ts;
};

/** Changes a message and returns its id. Rejects as the client does. */
export const editMessage = async (
  client: webApi.WebClient,
  channel: string,
  ts: string,
  content: {
    readonly text: string;
    readonly blocks: types.KnownBlock[];
    readonly metadata?: types.MessageMetadata;
  },
): Promise<string> => posted.parse(await client.chat.update({ channel, ts, ...content })).ts;

const posted = z.object({ ts: z.string() });
export const keyedMessage = posted.extend({ metadata: z.unknown().optional() });
