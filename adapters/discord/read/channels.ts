/** Which channels there are and of what kind, from what the gateway tells. Owns: the kind and the server of each, by its id. */

import { ChannelType } from "discord-api-types/v10";
import * as z from "zod";

export type Channels = ReturnType<typeof createChannels>;

export const FORUMS: readonly (number | undefined)[] = [ChannelType.GuildForum, ChannelType.GuildMedia];

export const createChannels = () => {
  const all = new Map<string, Omit<z.output<typeof channel>, "id">>();
  const seen = ({ id, ...one }: z.output<typeof channel>): void => void all.set(id, one);
  return {
    hear: (type: string, data: unknown) => {
      if (type === "GUILD_CREATE") {
        const { data: one } = guild.safeParse(data);
        for (const there of one?.channels ?? []) seen({ ...there, guild_id: one?.id });
      }
      if (!/^CHANNEL_(CREATE|UPDATE|DELETE)$/.test(type)) return;
      const { data: one } = channel.safeParse(data);
      if (type === "CHANNEL_DELETE") all.delete(one?.id ?? "");
      else if (one !== undefined) seen(one);
    },
    /** No thread, and no direct messages. */
    isChannel: (id: string): boolean => all.has(id),
    isForum: (id: string): boolean => FORUMS.includes(all.get(id)?.type),
    /** The server that it is in; empty where it was not told of. */
    guildOf: (id: string): string => all.get(id)?.guild_id ?? "",
  };
};

const channel = z.object({ id: z.string(), type: z.int(), guild_id: z.string().optional() });
const guild = z.object({ id: z.string(), channels: z.array(channel) });
