/** Who can read a thread of Discord, and whether it is archived: it is not opened again for what was cited in it. */

import { ChannelType, PermissionFlagsBits } from "discord-api-types/v10";
import * as z from "zod";
import type { Audience, ReadThread } from "../../../src/ports/answers/answers.ts";
import type { Calls } from "../write/api.ts";

export const createReadThread =
  (calls: Calls): ReadThread =>
  async ({ place, root }) => {
    try {
      const { type, thread_metadata: metadata } = channel.parse(await calls.call("GET", `/channels/${root}`));
      const isClosed = CLOSED.includes(type);
      const audience = isClosed ? "private" : await audienceOf(calls, place);
      return { audience, isArchived: metadata?.archived === true };
    } catch {
      return null;
    }
  };

/** Direct messages, and threads for those who were added. */
const CLOSED: readonly number[] = [ChannelType.DM, ChannelType.GroupDM, ChannelType.PrivateThread];

/** Everybody on the server has the role that is called like it. */
const audienceOf = async (calls: Calls, place: string): Promise<Audience> => {
  const { guild_id: guild, permission_overwrites: overwrites } = channel.parse(
    await calls.call("GET", `/channels/${place}`),
  );
  if (guild === undefined) return "private";
  const own = overwrites.find(({ id }) => id === guild);
  if (own !== undefined && mayView(own.deny)) return "private";
  if (own !== undefined && mayView(own.allow)) return "public";
  const all = roles.parse(await calls.call("GET", `/guilds/${guild}/roles`));
  return all.some(({ id, permissions }) => id === guild && mayView(permissions)) ? "public" : "private";
};

const mayView = (permissions: string): boolean =>
  (BigInt(permissions) & (PermissionFlagsBits.ViewChannel | PermissionFlagsBits.Administrator)) !== 0n;

const bits = z.string().regex(/^\d+$/);
const channel = z.object({
  type: z.int(),
  guild_id: z.string().optional(),
  thread_metadata: z.object({ archived: z.boolean() }).optional(),
  permission_overwrites: z.array(z.object({ id: z.string(), allow: bits, deny: bits })).default([]),
});
const roles = z.array(z.object({ id: z.string(), permissions: bits }));
