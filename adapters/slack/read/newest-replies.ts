/** The newest messages of a thread. Slack returns the oldest first, a thousand in one answer (WS11). */

import type { webApi } from "@slack/bolt";
import type { Place } from "../../../src/ports/conversation.ts";
import { type SlackMessage, slackMessage } from "./message.ts";
import { readPages } from "./pages.ts";

const PAGE = 1_000;
/** Pages of one stretch of time that are read at most. */
const PAGES = 10;
/** Seconds before `until` of the first stretch, and how much longer each next one is. */
const FIRST = 600;
const LONGER = 8;

interface Newest {
  readonly messages: readonly SlackMessage[];
  /** Older messages were not read. */
  readonly isCut: boolean;
}

/**
 * Messages after `since` and before `until`, with the thread's first message if Slack adds it: all of them if they fit into one
 * answer, otherwise at least the `enough` newest ones. Rejects as the client does.
 */
export const readNewest = async (
  client: Pick<webApi.WebClient, "paginate">,
  { place, root }: Place,
  { since, until }: { readonly since: string | null; readonly until: string },
  enough: number,
): Promise<Newest> => {
  const read = (oldest: string | null, pages: number): Promise<Newest> => {
    const range = { channel: place, ts: root, latest: until, limit: PAGE };
    const from = oldest === null ? {} : { oldest };
    return readPages(client, slackMessage, "conversations.replies", { ...range, ...from }, pages);
  };
  const whole = await read(since, 1);
  if (!whole.isCut) return whole;
  const beginning = Number(since ?? root);
  let newest: readonly SlackMessage[] = [];
  for (let span = FIRST; newest.length <= enough; span *= LONGER) {
    const isAll = Number(until) - span <= beginning;
    const oldest = isAll ? since : (Number(until) - span).toFixed(6);
    const stretch = await read(oldest, PAGES);
    if (stretch.isCut) break;
    newest = stretch.messages;
    if (isAll) return { messages: newest, isCut: false };
  }
  return { messages: newest, isCut: true };
};
