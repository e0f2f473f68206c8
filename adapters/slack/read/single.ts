import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Place } from "../../../src/ports/conversation.ts";

/**
 * Reads one message of a thread; null if it no longer exists. Rejects as the client does, and if Slack's
 * response is unreadable. No limit is set, because Slack returns the thread's first message too, and a limit
 * would cut off the wanted one.
 */
export const readSingle = async <T extends { readonly ts: string }>(
  client: webApi.WebClient,
  message: z.ZodType<T>,
  { place, root }: Place,
  ts: string,
): Promise<T | null> => {
  const range = { oldest: ts, latest: ts, inclusive: true, include_all_metadata: true };
  const answer = await client.conversations.replies({ channel: place, ts: root, ...range });
  const { messages } = z.object({ messages: z.array(message) }).parse(answer);
  return messages.find((one) => one.ts === ts) ?? null;
};
