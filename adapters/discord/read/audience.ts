/** Who can read a channel or a thread of Discord: everybody in its server, or some. */

import { ChannelType, PermissionFlagsBits as Bits } from "discord.js";
import * as z from "zod";
import type { Millis } from "../../../src/machine/id.ts";
import type { Addresses, ReadAudience } from "../../../src/ports/chat-platform.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import type { Calls } from "../write/api.ts";
import { permissionsIn } from "../write/permissions.ts";
import { courtesy } from "./people.ts";

/** What a channel was like is asked anew after that. */
const FRESH: Millis = 60_000;
const PRIVATE: number = ChannelType.PrivateThread;

interface Known {
  readonly guild: string | null;
  readonly isPublic: boolean;
  readonly at: Millis;
}

export interface Audiences {
  /** A thread is for those who can read its channel, but for a private one. */
  readonly of: ReadAudience;
  /** Of channels as somebody in that server asks; another server's are not told of. */
  in(guild: string | null): Addresses["audience"];
}

export const createAudiences = (calls: Calls, clock: Pick<Clock, "now">, log: Log): Audiences => {
  const said = new Map<string, Known>();

  const read = async (place: string): Promise<Known> => {
    const at = clock.now();
    const { guild_id: guild, permission_overwrites: overwrites } = channel.parse(
      await calls.call("GET", `/channels/${place}`),
    );
    if (guild === undefined) return { guild: null, isPublic: false, at };
    const { roles } = server.parse(await calls.call("GET", `/guilds/${guild}`));
    const permissions = new Map(roles.map((role) => [role.id, BigInt(role.permissions)]));
    const everybody = { guild, bot: "", roles: [], permissions };
    const held = permissionsIn(
      everybody,
      overwrites.map(({ id, allow, deny }) => ({ id, allow: BigInt(allow), deny: BigInt(deny) })),
    );
    return { guild, isPublic: (held & Bits.ViewChannel) !== 0n, at };
  };

  const known = async (place: string): Promise<Known> => {
    const before = said.get(place);
    if (before !== undefined && clock.now() - before.at < FRESH) return before;
    const now = await read(place);
    said.set(place, now);
    return now;
  };

  const asked = <T>(ask: () => Promise<T>): Promise<T | null> =>
    courtesy(log, "discord: who reads a channel could not be read", ask);

  return {
    of: (place, root) =>
      asked(async () => {
        if (!(await known(place)).isPublic) return "private";
        if (root === null) return "public";
        const { type } = channel.parse(await calls.call("GET", `/channels/${root}`));
        return type === PRIVATE ? "private" : "public";
      }),
    in: (guild) => (place) =>
      asked(async () => {
        const { guild: own, isPublic } = await known(place);
        return own !== guild ? null : isPublic ? "public" : "private";
      }),
  };
};

const bits = z.string().regex(/^\d+$/);
const channel = z.object({
  type: z.int(),
  guild_id: z.string().optional(),
  permission_overwrites: z.array(z.object({ id: z.string(), allow: bits, deny: bits })).default([]),
});
const server = z.object({ roles: z.array(z.object({ id: z.string(), permissions: bits })) });
