/** Which channels are forums, from what the gateway tells. Owns: their ids. */

import { ChannelType } from "discord.js";
import * as z from "zod";

export interface Forums {
  /** A dispatch of the gateway. */
  hear(type: string, data: unknown): void;
  isForum(channel: string): boolean;
}

const FORUMS: readonly number[] = [ChannelType.GuildForum, ChannelType.GuildMedia];

export const createForums = (): Forums => {
  const forums = new Set<string>();
  const seen = (one: z.output<typeof channel>): void => {
    if (FORUMS.includes(one.type)) forums.add(one.id);
    else forums.delete(one.id);
  };
  return {
    hear: (type, data) => {
      if (type === "GUILD_CREATE") {
        const read = guild.safeParse(data);
        if (read.success) read.data.channels.forEach(seen);
      }
      if (!/^CHANNEL_(CREATE|UPDATE|DELETE)$/.test(type)) return;
      const read = channel.safeParse(data);
      if (!read.success) return;
      if (type === "CHANNEL_DELETE") forums.delete(read.data.id);
      else seen(read.data);
    },
    isForum: (id) => forums.has(id),
  };
};

const channel = z.object({ id: z.string(), type: z.int() });
const guild = z.object({ channels: z.array(channel) });
