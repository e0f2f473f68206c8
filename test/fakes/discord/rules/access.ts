/** What somebody may do in a channel, on the world's records. */

import { type Permission, holds, permissionsIn } from "./permissions.ts";
import type { Discord } from "../discord.ts";
import { type Refused, refuse } from "../outcome.ts";
import type { AnyChannel, Channel, Thread, World } from "../world.ts";

const ALL = (1n << 53n) - 1n;

/** Bits in force for the person in that channel; in a direct channel all that there is to do. */
export const permissionsOf = (
  { world, clock }: Pick<Discord, "world" | "clock">,
  user: string,
  channel: AnyChannel,
): bigint => {
  if (channel.guild === null) {
    const isIn = user === world.app.bot || (channel.kind === "dm" && user === channel.recipient);
    return isIn ? ALL : 0n;
  }
  const guild = world.guilds.get(channel.guild);
  return guild === undefined
    ? 0n
    : permissionsIn(guild, channel, parentOf(world, channel), user, clock.now());
};

export const can = (
  discord: Pick<Discord, "world" | "clock">,
  user: string,
  channel: AnyChannel,
  permission: Permission,
): boolean => holds(permissionsOf(discord, user, channel), permission);

/** 50001 for who cannot see it, 50013 for who sees it and may not. */
export const denied = (
  discord: Discord,
  user: string,
  channel: AnyChannel,
  ...permissions: readonly Permission[]
): Refused | undefined => {
  if (!can(discord, user, channel, "ViewChannel")) return refuse("missingAccess");
  return permissions.every((one) => can(discord, user, channel, one))
    ? undefined
    : refuse("missingPermissions");
};

export const parentOf = (world: World, channel: AnyChannel): Channel | undefined => {
  const parent = channel.kind === "thread" ? world.channels.get(channel.parent) : undefined;
  return parent?.kind === "thread" ? undefined : parent;
};

/** What it takes to write there. */
export const speaking = (channel: AnyChannel): Permission =>
  channel.kind === "thread" ? "SendMessagesInThreads" : "SendMessages";

/** Why nobody without ManageThreads can write in the thread; undefined where they can. */
export const lockedOut = (discord: Discord, user: string, thread: Thread): Refused | undefined =>
  thread.locked && !can(discord, user, thread, "ManageThreads") ? refuse("threadLocked") : undefined;
