/** Reads from gateway events which people moderators removed or silenced. */

import { AuditLogEvent } from "discord-api-types/v10";
import * as z from "zod";
import { readDiscordChannel } from "../read/channel.ts";
import type { DiscordCalls } from "../api/calls.ts";

/** Null if the event removes nobody. Only apps that may view the audit log receive timeouts and kicks. */
export const barredBy = (
  type: string,
  data: unknown,
): { readonly guild: string; readonly person: string } | null => {
  if (type === "GUILD_BAN_ADD") {
    const read = ban.safeParse(data);
    return read.success ? { guild: read.data.guild_id, person: read.data.user.id } : null;
  }
  const read = type === "GUILD_AUDIT_LOG_ENTRY_CREATE" ? entry.safeParse(data) : null;
  if (read?.success !== true || read.data.target_id === null) return null;
  const { guild_id: guild, target_id: person, action_type: action, changes } = read.data;
  const isSilenced =
    action === MEMBER_UPDATE &&
    changes.some(({ key, new_value: until }) => key === TIMEOUT && typeof until === "string");
  return isSilenced || action === MEMBER_KICK ? { guild, person } : null;
};

/** Whether the channel belongs to the server; true if Discord does not answer. */
export const createIsIn =
  (calls: DiscordCalls) =>
  async (guild: string, channel: string): Promise<boolean> => {
    const there = await readDiscordChannel(calls, channel).catch(() => null);
    return there === null || there.guild_id === guild;
  };

const MEMBER_UPDATE: number = AuditLogEvent.MemberUpdate;
const MEMBER_KICK: number = AuditLogEvent.MemberKick;
const TIMEOUT = "communication_disabled_until";

const ban = z.object({ guild_id: z.string(), user: z.object({ id: z.string() }) });
const entry = z.object({
  guild_id: z.string(),
  target_id: z.string().nullable(),
  action_type: z.int(),
  changes: z.array(z.object({ key: z.string(), new_value: z.unknown() })).default([]),
});
