import type { PostRead } from "../../../src/ports/connection.ts";
import type { Log } from "../../../src/ports/host.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { isUnknownChannel, isUnknownMessage } from "../api/failure.ts";
import type { Channels } from "./channels.ts";
import { discordMessage } from "./message.ts";
import { discordUnreadOf } from "./people.ts";

/** The first message of a forum's post is in the post's thread and has its id. */
export const createReadDiscordPost =
  ({ calls, isForum }: { readonly calls: DiscordCalls } & Pick<Channels, "isForum">, log: Log) =>
  async (place: string, post: string): Promise<PostRead> => {
    const channel = isForum(place) ? post : place;
    try {
      const found = await calls.call("GET", `/channels/${channel}/messages/${post}`);
      return { kind: "read", text: discordMessage.parse(found).content };
    } catch (error) {
      if (isUnknownMessage(error) || isUnknownChannel(error)) return { kind: "deleted" };
      const { why } = discordUnreadOf(error);
      log.warn("discord: post not read", { why });
      return { kind: "unread", why };
    }
  };
