/**
 * Reads the audience of a thread or channel and whether it is archived. An archived thread is not reopened
 * for a citation.
 */

import { ChannelType, PermissionFlagsBits } from "discord-api-types/v10";
import type { Audience, ReadThread } from "../../../src/ports/answers.ts";
import type { Addresses } from "../../../src/ports/chat-platform.ts";
import type { Log } from "../../../src/ports/host.ts";
import type { DiscordCalls } from "../api/calls.ts";
import type * as z from "zod";
import { type channel, readDiscordChannel } from "./channel.ts";
import { readRoles } from "./guilds.ts";
import { discordCourtesy } from "./people.ts";

export const createReadDiscordThread =
  (calls: DiscordCalls): ReadThread =>
  async ({ place, root }) => {
    try {
      const { type, thread_metadata: metadata } = await readDiscordChannel(calls, root);
      const audience = CLOSED.includes(type)
        ? "private"
        : await audienceOf(calls, await readDiscordChannel(calls, place));
      return { audience, isArchived: metadata?.archived === true };
    } catch {
      return null;
    }
  };

/** Audience of a channel for a person in a server; null for channels of other servers. */
export const createAudience =
  (calls: DiscordCalls, log: Log) =>
  (guild: string | null): Addresses["audience"] =>
  (place) =>
    discordCourtesy(log, "discord: channel audience not read", async () => {
      const there = await readDiscordChannel(calls, place);
      if (there.guild_id !== guild) return null;
      return CLOSED.includes(there.type) ? "private" : audienceOf(calls, there);
    });

/** Direct messages, and threads for invited people. */
const CLOSED: readonly number[] = [ChannelType.DM, ChannelType.GroupDM, ChannelType.PrivateThread];

/** The role with the server's id belongs to every member. */
const audienceOf = async (
  calls: DiscordCalls,
  { guild_id: guild, permission_overwrites: overwrites }: z.output<typeof channel>,
): Promise<Audience> => {
  if (guild === undefined) return "private";
  const own = overwrites.find(({ id }) => id === guild);
  if (own !== undefined && mayView(own.deny)) return "private";
  if (own !== undefined && mayView(own.allow)) return "public";
  const all = await readRoles(calls, guild);
  return all.some(({ id, permissions }) => id === guild && mayView(permissions)) ? "public" : "private";
};

const mayView = (permissions: string): boolean =>
  (BigInt(permissions) & (PermissionFlagsBits.ViewChannel | PermissionFlagsBits.Administrator)) !== 0n;
