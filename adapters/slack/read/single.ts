/** One message of a thread. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Place } from "../../../src/ports/conversation.ts";

/** Null where it is no longer there. Rejects as the client does, and where Slack's answer cannot be read. */
export const readSingle = async <T extends { readonly ts: string }>(
  client: webApi.WebClient,
  message: z.ZodType<T>,
  { place, root }: Place,
  ts: string,
): Promise<T | null> => {
  const range = { oldest: ts, latest: ts, inclusive: true, limit: 1, include_all_metadata: true };
  const answer = await client.conversations.replies({ channel: place, ts: root, ...range });
  const { messages } = z.object({ messages: z.array(message) }).parse(answer);
  return messages.find((one) => one.ts === ts) ?? null;
};
