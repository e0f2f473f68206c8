/** A thread read back: what people wrote before, oldest first, with the names that they go by. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { ChatPlatform, Earlier } from "../../src/runtime/ports-chat.ts";
import type { Identity } from "./identity.ts";
import { plainText } from "./plain.ts";
import { type People, unreadOf } from "./people.ts";
import { filesOf, millisOf, shownOf, type SlackMessage, slackMessage } from "./wire.ts";

const PAGE = 200;
/** Pages that are read at most: a thread is read from its beginning. */
const PAGES = 10;

export const createEarlier =
  (client: webApi.WebClient, self: Identity, people: Pick<People, "label">): ChatPlatform["earlier"] =>
  async ({ place, root }, { since, until, limit }) => {
    const read: SlackMessage[] = [];
    let cursor = "";
    let pages = 0;
    try {
      do {
        const answer = page.parse(
          await client.conversations.replies({
            channel: place,
            ts: root,
            latest: until,
            limit: PAGE,
            ...(since === null ? {} : { oldest: since }),
            ...(cursor === "" ? {} : { cursor }),
          }),
        );
        read.push(...answer.messages);
        cursor = answer.response_metadata?.next_cursor ?? "";
        pages += 1;
      } while (cursor !== "" && pages < PAGES);
    } catch (error) {
      return unreadOf(error);
    }
    const unique = [...new Map(read.map((one) => [one.ts, one])).values()];
    const wanted = unique.filter(
      ({ ts }) => Number(ts) < Number(until) && (since === null || Number(ts) > Number(since)),
    );
    const kept = wanted.length > limit ? [...wanted.slice(0, 1), ...wanted.slice(1 - limit)] : wanted;
    return {
      kind: "messages",
      messages: await Promise.all(kept.map((one) => earlierOf(one, self, people))),
      cut: kept.length < wanted.length || cursor !== "",
    };
  };

const earlierOf = async (
  message: SlackMessage,
  self: Identity,
  people: Pick<People, "label">,
): Promise<Earlier> => {
  const { user, bot_id: bot, ts, text } = message;
  const person = bot === undefined && user !== undefined ? user : null;
  return {
    message: ts,
    person,
    ours: bot === self.bot || user === self.user,
    author: person === null ? "an app" : (await people.label(person)).replace(/^@/, ""),
    text: plainText(text, self.user),
    at: millisOf(ts),
    files: filesOf(message),
    shown: shownOf(message),
  };
};

const page = z.object({
  messages: z.array(slackMessage),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});
