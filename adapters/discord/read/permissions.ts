/** Computes the bot's permissions in a channel from roles and overwrites, as Discord documents it. Pure. */

import { PermissionFlagsBits as Bits } from "discord-api-types/v10";

/** Permission bits as decimal text. */
export type Overwrite = Readonly<Record<"id" | "allow" | "deny", string>>;

export interface GuildRoles {
  readonly guild: string;
  readonly bot: string;
  readonly roles: readonly string[];
  /** Permissions by role id. The role with the server's id belongs to every member. */
  readonly permissions: ReadonlyMap<string, bigint>;
}

export const permissionsIn = (
  { guild, bot, roles, permissions }: GuildRoles,
  overwrites: readonly Overwrite[],
): bigint => {
  const base = [guild, ...roles].reduce((all, role) => all | (permissions.get(role) ?? 0n), 0n);
  if ((base & Bits.Administrator) !== 0n) return base;
  const everybody = overwrites.filter(({ id }) => id === guild);
  const own = overwrites.filter(({ id }) => roles.includes(id));
  const me = overwrites.filter(({ id }) => id === bot);
  return [everybody, own, me].reduce(over, base);
};

/** Within one step, allowed bits take precedence. */
const over = (held: bigint, step: readonly Overwrite[]): bigint => {
  const deny = step.reduce((all, one) => all | BigInt(one.deny), 0n);
  const allow = step.reduce((all, one) => all | BigInt(one.allow), 0n);
  return (held & ~deny) | allow;
};
