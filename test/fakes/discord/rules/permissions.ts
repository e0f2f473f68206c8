/** Who may do what in a channel, computed as Discord documents it. Pure. */

import { PermissionFlagsBits as P } from "discord.js";
import type { AnyChannel, Channel, Guild, Overwrite, Thread } from "../world.ts";

export type Permission = keyof typeof P;

const bits = (...names: readonly Permission[]): bigint => names.reduce((all, name) => all | P[name], 0n);

export const everyonePermissions = bits(
  "ViewChannel",
  "SendMessages",
  "SendMessagesInThreads",
  "CreatePublicThreads",
  "CreatePrivateThreads",
  "ReadMessageHistory",
  "AddReactions",
  "AttachFiles",
  "EmbedLinks",
  "UseApplicationCommands",
);

/** Of the app's own role: more than everybody has is given at its invitation. */
export const appPermissions = everyonePermissions | bits("ViewAuditLog");

export const maintainerPermissions = bits(
  "ManageGuild",
  "ManageThreads",
  "ManageMessages",
  "ModerateMembers",
);

const everything = Object.values(P).reduce((all, bit) => all | bit, 0n);

/** All that a timed-out member keeps. */
const timedOut = bits("ViewChannel", "ReadMessageHistory");

/** Permissions of a member in a channel; none for who is not in the guild. */
export const permissionsIn = (
  guild: Guild,
  channel: AnyChannel | undefined,
  parent: Channel | undefined,
  user: string,
  now: number,
): bigint => {
  const member = guild.members.get(user);
  if (member === undefined) return 0n;
  const roles = [guild.id, ...member.roles];
  const base = roles.reduce((all, id) => all | (guild.roles.get(id)?.permissions ?? 0n), 0n);
  if (user === guild.owner || (base & P.Administrator) !== 0n) return everything;
  const overwrites = channel?.kind === "thread" ? (parent?.overwrites ?? []) : (channel?.overwrites ?? []);
  const open = overwritten(base, overwrites, guild.id, member.roles, user);
  const held = member.timeoutUntil !== null && member.timeoutUntil > now ? open & timedOut : open;
  if ((held & P.ViewChannel) === 0n) return 0n;
  return channel?.kind === "thread" && !seesThread(channel, user, held) ? 0n : held;
};

/** A private thread is there for its members and for those who may manage threads. */
const seesThread = (thread: Thread, user: string, held: bigint): boolean =>
  !thread.isPrivate || thread.members.has(user) || (held & P.ManageThreads) !== 0n;

const overwritten = (
  base: bigint,
  overwrites: readonly Overwrite[],
  everyone: string,
  roles: readonly string[],
  user: string,
): bigint => {
  const own = overwrites.filter(({ type, id }) => type === "role" && roles.includes(id));
  const steps: readonly (readonly Overwrite[])[] = [
    overwrites.filter(({ id }) => id === everyone),
    own,
    overwrites.filter(({ type, id }) => type === "member" && id === user),
  ];
  return steps.reduce((held, step) => {
    const deny = step.reduce((all, one) => all | one.deny, 0n);
    const allow = step.reduce((all, one) => all | one.allow, 0n);
    return (held & ~deny) | allow;
  }, base);
};

export const holds = (held: bigint, permission: Permission): boolean => (held & P[permission]) !== 0n;

export const bitsOf = bits;
