/** One message of a thread. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Place } from "../../../src/ports/conversation.ts";

/**
 * Null where it is no longer there. Rejects as the client does, and where Slack's answer cannot be read. Slack answers the
 * thread's first message as well, so a limit would leave out the one that is asked for.
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
