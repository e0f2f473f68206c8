/** Messages of a channel or a thread, page by page as Slack gives them. */

import * as z from "zod";

const PAGE = 200;

/** `ask`: one call with the range of a page. `most`: pages. Rejects as the call does. */
export const readPages = async <Message extends z.ZodType>(
  message: Message,
  ask: (range: { readonly limit: number; readonly cursor?: string }) => Promise<unknown>,
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly messages: readonly z.output<Message>[]; readonly isCut: boolean }> => {
  const schema = z.object({
    messages: z.array(message),
    response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
  });
  const messages: z.output<Message>[] = [];
  let cursor = "";
  for (let pages = 0; pages < most; pages += 1) {
    const page = schema.parse(await ask({ limit: PAGE, ...(cursor === "" ? {} : { cursor }) }));
    messages.push(...page.messages);
    cursor = page.response_metadata?.next_cursor ?? "";
    if (cursor === "") return { messages, isCut: false };
  }
  return { messages, isCut: true };
};
