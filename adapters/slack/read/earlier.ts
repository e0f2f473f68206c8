/** A thread read back: what people wrote before, oldest first, with the names that they go by. */

import type { webApi } from "@slack/bolt";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Earlier } from "../../../src/ports/chat.ts";
import type { Log } from "../../../src/ports/host.ts";
import { newestOf } from "../../text/newest.ts";
import type { Identity } from "../receive/identity.ts";
import { filesOf, withFiles } from "./files.ts";
import { readNewest } from "./newest-replies.ts";
import type { Naming } from "./names.ts";
import { unreadOf } from "./people.ts";
import type { Names } from "./plain.ts";
import { readSingle } from "./single.ts";
import { millisOf, shownOf, type SlackMessage, slackMessage, wordsOf } from "./message.ts";

interface EarlierDeps {
  readonly client: webApi.WebClient;
  readonly self: Identity;
  readonly naming: Naming;
  readonly log: Log;
}

export const createEarlier =
  ({ client, self, naming, log }: EarlierDeps): ChatPlatform["earlier"] =>
  async ({ place, root }, { since, until, limit, about }) => {
    const where = { place, root };
    const read = await readNewest(client, where, { since, until }, limit).catch(unreadOf);
    if ("why" in read) return read;
    const isThere = about === null || read.messages.some(({ ts }) => ts === about);
    const named = isThere ? null : await readSingle(client, slackMessage, where, about).catch(unreadOf);
    if (named !== null && "why" in named) return named;
    const all = [...read.messages, ...(named === null ? [] : [named])].toSorted(
      (a, b) => Number(a.ts) - Number(b.ts),
    );
    const unique = [...new Map(all.map((one) => [one.ts, one])).values()];
    const wanted = unique.filter(
      ({ ts }) => Number(ts) < Number(until) && (since === null || Number(ts) > Number(since)),
    );
    const kept = newestOf(wanted, limit, ({ ts }) => ts === about);
    const whole = await Promise.all(kept.map((one) => withFiles(client, log, one)));
    return {
      kind: "messages",
      messages: await naming.named(place, (names) => whole.map((one) => earlierOf(one, self, names))),
      cut: kept.length < wanted.length || read.isCut,
      ...(read.isCut ? {} : { left: wanted.length - kept.length }),
    };
  };

const earlierOf = (message: SlackMessage, self: Identity, names: Names): Earlier => {
  const { user, bot_id: bot, ts } = message;
  const person = bot === undefined && user !== undefined ? user : null;
  return {
    message: ts,
    person,
    ours: bot === self.bot || user === self.user,
    author: person === null ? appOf(message) : (names.user(person) ?? person),
    text: wordsOf(message, self.user, names),
    at: millisOf(ts),
    files: filesOf(message),
    shown: shownOf(message, names),
  };
};

const appOf = ({ username, bot_profile: profile }: SlackMessage): string =>
  `${username ?? profile?.name ?? "an"} app`;
