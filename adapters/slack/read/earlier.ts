/** A thread read back: what people wrote before, oldest first, with the names that they go by. */

import type { webApi } from "@slack/bolt";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Earlier } from "../../../src/ports/chat.ts";
import type { Log } from "../../../src/ports/host.ts";
import { newestOf } from "../../text/newest.ts";
import type { Identity } from "../listen/identity.ts";
import { filesOf, withFiles } from "./files.ts";
import { readPages } from "./pages.ts";
import { type People, unreadOf } from "./people.ts";
import { millisOf, shownOf, type SlackMessage, slackMessage, wordsOf } from "./message.ts";

/** Pages that are read at most: a thread is read from its beginning. */
const PAGES = 10;

interface EarlierDeps {
  readonly client: webApi.WebClient;
  readonly self: Identity;
  readonly people: Pick<People, "label">;
  readonly log: Log;
}

export const createEarlier =
  ({ client, self, people, log }: EarlierDeps): ChatPlatform["earlier"] =>
  async ({ place, root }, { since, until, limit, about }) => {
    const range = { channel: place, ts: root, latest: until, ...(since === null ? {} : { oldest: since }) };
    const read = await readPages(client, slackMessage, "conversations.replies", range, PAGES).catch(unreadOf);
    if ("why" in read) return read;
    const unique = [...new Map(read.messages.map((one) => [one.ts, one])).values()];
    const wanted = unique.filter(
      ({ ts }) => Number(ts) < Number(until) && (since === null || Number(ts) > Number(since)),
    );
    const kept = newestOf(wanted, limit, ({ ts }) => ts === about);
    const whole = await Promise.all(kept.map((one) => withFiles(client, log, one)));
    return {
      kind: "messages",
      messages: await Promise.all(whole.map((one) => earlierOf(one, self, people))),
      cut: kept.length < wanted.length || read.isCut,
    };
  };

const earlierOf = async (
  message: SlackMessage,
  self: Identity,
  people: Pick<People, "label">,
): Promise<Earlier> => {
  const { user, bot_id: bot, ts } = message;
  const person = bot === undefined && user !== undefined ? user : null;
  return {
    message: ts,
    person,
    ours: bot === self.bot || user === self.user,
    author: person === null ? appOf(message) : (await people.label(person)).replace(/^@/, ""),
    text: wordsOf(message, self.user),
    at: millisOf(ts),
    files: filesOf(message),
    shown: shownOf(message),
  };
};

const appOf = ({ username, bot_profile: profile }: SlackMessage): string =>
  `${username ?? profile?.name ?? "an"} app`;
