/** Reads the bot's servers, the missing permissions in each, and the usable channels and forums. */

import { ChannelType } from "discord-api-types/v10";
import * as z from "zod";
import type { SetupChannel } from "../../../src/ports/platform-setup.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { channel } from "../read/channel.ts";
import { readRoles } from "../read/guilds.ts";
import { missingPermissions } from "../read/manifest.ts";
import { permissionsIn } from "../read/permissions.ts";

export interface JoinedServer {
  readonly id: string;
  readonly name: string;
  /** Missing permissions, by Discord's names. */
  readonly missing: readonly string[];
}

/** Servers whose channels are read, so that a bot in hundreds of them needs few requests. */
const MOST_SERVERS = 5;

/** `home`: the only server that counts; null for all servers. Returns null if Discord does not answer. */
export const joinedServers = async (
  calls: DiscordCalls,
  home: string | null,
): Promise<readonly JoinedServer[] | null> => {
  try {
    return guilds
      .parse(await calls.call("GET", "/users/@me/guilds"))
      .filter(({ id }) => home === null || id === home)
      .map(({ id, name, permissions }) => ({ id, name, missing: missingPermissions(permissions) }));
  } catch {
    return null;
  }
};

/** Channels and forums in Discord's order, with the channel for system messages first. `bot`: the bot's user id. */
export const usableChannels = async (
  calls: DiscordCalls,
  bot: string,
  servers: readonly JoinedServer[],
): Promise<readonly SetupChannel[]> => {
  const found: SetupChannel[] = [];
  for (const { id: guild, name: server } of servers.slice(0, MOST_SERVERS)) {
    const channels = await channelsOfServer(calls, bot, guild).catch(() => []);
    found.push(...channels.map(({ id, name }) => ({ id, name: name ?? "unnamed", server })));
  }
  return found;
};

type Channel = z.output<typeof placed>;

const channelsOfServer = async (
  calls: DiscordCalls,
  bot: string,
  guild: string,
): Promise<readonly Channel[]> => {
  const [facts, roles, me, all] = await Promise.all([
    calls.call("GET", `/guilds/${guild}`),
    readRoles(calls, guild),
    calls.call("GET", `/guilds/${guild}/members/${bot}`),
    calls.call("GET", `/guilds/${guild}/channels`),
  ]);
  const { system_channel_id: first } = guildFacts.parse(facts);
  const permissions = new Map(roles.map((role) => [role.id, BigInt(role.permissions)]));
  const own = { guild, bot, roles: member.parse(me).roles, permissions };
  return z
    .array(placed)
    .parse(all)
    .filter(({ type }) => TYPES.has(type))
    .filter((one) => missingPermissions(String(permissionsIn(own, one.permission_overwrites))).length === 0)
    .toSorted((a, b) => Number(b.id === first) - Number(a.id === first) || a.position - b.position);
};

const TYPES: ReadonlySet<number> = new Set([ChannelType.GuildText, ChannelType.GuildForum]);

const guilds = z.array(
  z.object({ id: z.string(), name: z.string(), permissions: z.string().regex(/^\d+$/) }),
);
const guildFacts = z.object({ system_channel_id: z.string().nullish() });
const member = z.object({ roles: z.array(z.string()) });
const placed = channel.extend({ position: z.int().default(0) });
