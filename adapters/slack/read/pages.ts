import type { webApi } from "@slack/bolt";
import * as z from "zod";

const PAGE = 200;

/** Reads messages of a channel or a thread. `most`: maximum number of pages. Rejects as the client does. */
export const readPages = async <Message extends z.ZodType>(
  client: Pick<webApi.WebClient, "paginate">,
  message: Message,
  method: "conversations.history" | "conversations.replies",
  range: Readonly<Record<string, unknown>>,
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly messages: readonly z.output<Message>[]; readonly isCut: boolean }> => {
  const schema = z.object({ messages: z.array(message) });
  const { entries, isCut } = await readAllPages(
    client,
    method,
    range,
    (page) => schema.parse(page).messages,
    most,
  );
  return { messages: entries, isCut };
};

/**
 * `entriesOf`: returns the entries of a page. `isCut`: whether Slack has more pages than `most`. Rejects as
 * the client does.
 */
export const readAllPages = async <Entry>(
  client: Pick<webApi.WebClient, "paginate">,
  method: string,
  range: Readonly<Record<string, unknown>>,
  entriesOf: (page: unknown) => readonly Entry[],
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly entries: readonly Entry[]; readonly isCut: boolean }> => {
  const entries: Entry[] = [];
  let pages = 0;
  for await (const page of client.paginate(method, { limit: PAGE, ...range })) {
    entries.push(...entriesOf(page));
    pages += 1;
    const more = Boolean(page.response_metadata?.next_cursor);
    if (!more || pages === most) return { entries, isCut: more };
  }
  return { entries, isCut: false };
};
