import type { webApi } from "@slack/bolt";
import type { PostRead } from "../../../src/ports/connection.ts";
import type { Log } from "../../../src/ports/host.ts";
import { slackFailureOf } from "../api/failure.ts";
import { slackMessage, slackTextOf } from "./message.ts";
import { slackUnreadOf } from "./people.ts";
import { readSingle } from "./single.ts";

/** `self`: the bot's user. */
export const createReadSlackPost =
  (client: webApi.WebClient, self: () => string, log: Log) =>
  async (channel: string, ts: string): Promise<PostRead> => {
    try {
      const found = await readSingle(client, slackMessage, { place: channel, root: ts }, ts);
      // A deleted post with replies remains as a tombstone.
      return found === null || found.subtype === "tombstone"
        ? { kind: "deleted" }
        : { kind: "read", text: slackTextOf(found, self()) };
    } catch (error) {
      const trouble = slackFailureOf(error);
      if ("why" in trouble && DELETED.has(trouble.why)) return { kind: "deleted" };
      const { why } = slackUnreadOf(error);
      log.warn("slack: post not read", { why });
      return { kind: "unread", why };
    }
  };

/** Other codes say that the channel is missing or closed to the bot. */
const DELETED: ReadonlySet<string> = new Set(["message_not_found", "thread_not_found"]);
