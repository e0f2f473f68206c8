import type { ChannelName, ReadName } from "../../../src/ports/channels.ts";
import { isHidden, isUnknownChannel } from "../api/failure.ts";
import { readDiscordChannel } from "./channel.ts";
import type { Guilds } from "./guilds.ts";
import { discordUnreadOf } from "./people.ts";
import type { DiscordCalls } from "../api/calls.ts";

/** Returns the name with its server, because channels of many servers have the same name. */
export const createReadDiscordName =
  (calls: DiscordCalls, guilds: Pick<Guilds, "nameOf">): ReadName =>
  async (place) => {
    try {
      const { name, guild_id: guild, recipients } = await readDiscordChannel(calls, place);
      const other = recipients[0]?.global_name ?? recipients[0]?.username;
      if (other !== undefined) return { kind: "named", name: `@${other}`, note: "direct messages" };
      const note = guild === undefined ? null : guilds.nameOf(guild);
      return typeof name === "string" ? { kind: "named", name: `#${name}`, note } : NAMELESS;
    } catch (error) {
      if (isUnknownChannel(error)) return { kind: "gone", why: "This channel was deleted." };
      return isHidden(error) ? HIDDEN : { kind: "unread", why: discordUnreadOf(error).why };
    }
  };

const HIDDEN: ChannelName = {
  kind: "gone",
  why: "Parley cannot see this channel: Parley was removed from the server, or lacks the View Channel permission.",
};
const NAMELESS: ChannelName = { kind: "unread", why: "Discord returned no name" };
