/** Which channels there are and of what kind, from what the gateway tells. Owns: the kind of each, by its id. */

import { ChannelType } from "discord-api-types/v10";
import * as z from "zod";

export type Channels = ReturnType<typeof createChannels>;

export const FORUMS: readonly (number | undefined)[] = [ChannelType.GuildForum, ChannelType.GuildMedia];

export const createChannels = () => {
  const kinds = new Map<string, number>();
  const seen = ({ id, type }: z.output<typeof channel>): void => void kinds.set(id, type);
  return {
    hear: (type: string, data: unknown) => {
      if (type === "GUILD_CREATE") {
        const read = guild.safeParse(data);
        if (read.success) read.data.channels.forEach(seen);
      }
      if (!/^CHANNEL_(CREATE|UPDATE|DELETE)$/.test(type)) return;
      const read = channel.safeParse(data);
      if (!read.success) return;
      if (type === "CHANNEL_DELETE") kinds.delete(read.data.id);
      else seen(read.data);
    },
    /** No thread, and no direct messages. */
    isChannel: (id: string): boolean => kinds.has(id),
    isForum: (id: string): boolean => FORUMS.includes(kinds.get(id)),
  };
};

const channel = z.object({ id: z.string(), type: z.int() });
const guild = z.object({ channels: z.array(channel) });
