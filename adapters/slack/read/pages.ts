/** Messages of a channel or a thread, page by page as Slack gives them. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";

const PAGE = 200;

/** `most`: pages. Rejects as the client does. */
export const readPages = async <Message extends z.ZodType>(
  client: Pick<webApi.WebClient, "paginate">,
  message: Message,
  method: "conversations.history" | "conversations.replies",
  range: Readonly<Record<string, unknown>>,
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly messages: readonly z.output<Message>[]; readonly isCut: boolean }> => {
  const schema = z.object({ messages: z.array(message) });
  const messages: z.output<Message>[] = [];
  let pages = 0;
  for await (const page of client.paginate(method, { limit: PAGE, ...range })) {
    messages.push(...schema.parse(page).messages);
    pages += 1;
    const more = Boolean(page.response_metadata?.next_cursor);
    if (!more || pages === most) return { messages, isCut: more };
  }
  return { messages, isCut: false };
};
