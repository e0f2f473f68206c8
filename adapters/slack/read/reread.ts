/** What somebody said, as it reads now: for what has waited since. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Log } from "../../../src/ports/host.ts";
import type { Identity } from "../listen/identity.ts";
import { saidOf } from "../listen/inbound.ts";
import { withFiles } from "./files.ts";
import { slackMessage } from "./message.ts";
import { unreadOf } from "./people.ts";

export const createReread =
  (client: webApi.WebClient, self: Identity, log: Log): ChatPlatform["reread"] =>
  async ({ place: channel, root }, ts) => {
    try {
      const range = { oldest: ts, latest: ts, inclusive: true, limit: 1 };
      const answer = await client.conversations.replies({ channel, ts: root, ...range });
      const found = replies.parse(answer).messages.find((one) => one.ts === ts);
      if (found === undefined) return null;
      const message = await withFiles(client, log, found);
      return saidOf({ kind: "message", channel, isDirect: channel.startsWith("D"), message }, self);
    } catch (error) {
      log.warn("the message that waited for a repository could not be read", { why: unreadOf(error).why });
      return null;
    }
  };

const replies = z.object({ messages: z.array(slackMessage) });
