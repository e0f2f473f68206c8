/** Tracks channels from gateway events. Owns: the kind and the server of each channel, by id. */

import { ChannelType } from "discord-api-types/v10";
import * as z from "zod";
import { hearing, dispatchByType, withIdSchema } from "./hearing.ts";

export type Channels = ReturnType<typeof createDiscordChannels>;

export const FORUMS: readonly (number | undefined)[] = [ChannelType.GuildForum, ChannelType.GuildMedia];

export const createDiscordChannels = () => {
  const all = new Map<string, Omit<z.output<typeof channel>, "id">>();
  const seen = ({ id, ...one }: z.output<typeof channel>): void => void all.set(id, one);
  return {
    hear: dispatchByType({
      GUILD_CREATE: hearing(guild, ({ id, channels }) => {
        // GUILD_CREATE lists all channels, so a missing one was deleted while no session was active.
        for (const [known, one] of all) if (one.guild_id === id) all.delete(known);
        for (const one of channels) seen({ ...one, guild_id: id });
      }),
      CHANNEL_CREATE: hearing(channel, seen),
      CHANNEL_UPDATE: hearing(channel, seen),
      CHANNEL_DELETE: hearing(withIdSchema, ({ id }) => void all.delete(id)),
    }),
    /** False for threads and direct messages. */
    isChannel: (id: string): boolean => all.has(id),
    isForum: (id: string): boolean => FORUMS.includes(all.get(id)?.type),
    /** Returns kind and overwrites of a channel; null if the gateway has not named the id as a channel. */
    about: (id: string): Pick<z.output<typeof channel>, "type" | "permission_overwrites"> | null =>
      all.get(id) ?? null,
    /** Null if the gateway has not named the id as a channel. */
    nameOf: (id: string): string | null => all.get(id)?.name ?? null,
    inGuild: (guild: string): readonly string[] =>
      [...all].flatMap(([id, one]) => (one.guild_id === guild ? [id] : [])),
    /** Server of the channel; empty if unknown. */
    guildOf: (id: string): string => all.get(id)?.guild_id ?? "",
  };
};

const bits = z.string().regex(/^\d+$/);
const overwrite = z.object({ id: z.string(), allow: bits, deny: bits });
const channel = withIdSchema.extend({
  type: z.int(),
  name: z.string().optional().catch(undefined),
  guild_id: z.string().optional(),
  permission_overwrites: z.array(overwrite).default([]).catch([]),
});
const guild = withIdSchema.extend({ channels: z.array(channel) });
