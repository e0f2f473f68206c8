/**
 * Tracks servers from gateway events, to decide who manages a server. Events arrive in order, so the state is
 * valid for the messages after them. Owns: for each server its name, its owner, its roles, the managing roles
 * and the bot's roles.
 */

import { PermissionFlagsBits } from "discord-api-types/v10";
import * as z from "zod";
import { type Language, languageIn } from "../../../src/i18n/say.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { type Overwrite, permissionsIn } from "./permissions.ts";
import { hearing, dispatchByType, withIdSchema } from "./hearing.ts";

export type Guilds = ReturnType<typeof createGuilds>;

interface Known {
  readonly name: string | null;
  readonly owner: string;
  readonly locale: string;
  readonly managing: Set<string>;
  readonly roles: Map<string, Role>;
  /** Roles of the bot; null if the gateway named none. */
  own: readonly string[] | null;
}

interface Role {
  readonly name: string;
  /** The app for which Discord manages the role; null for any other role. */
  readonly app: string | null;
  readonly permissions: bigint;
}

const RUNS = PermissionFlagsBits.ManageGuild | PermissionFlagsBits.Administrator;

export const isManaging = (permissions: string): boolean => (BigInt(permissions) & RUNS) !== 0n;

/** Whether a mention of the role by the bot notifies its members (WD7). `held`: permissions of the bot. */
export const isNotified = ({ mentionable }: { readonly mentionable: boolean }, held: bigint): boolean =>
  mentionable || (held & (PermissionFlagsBits.MentionEveryone | PermissionFlagsBits.Administrator)) !== 0n;

/** Rejects with Discord's error. */
export const readRoles = async (
  calls: DiscordCalls,
  guild: string,
): Promise<readonly z.output<typeof role>[]> =>
  z.array(role).parse(await calls.call("GET", `/guilds/${guild}/roles`));

export const createGuilds = () => {
  const all = new Map<string, Known>();
  let bot: string | null = null;
  const ownIn = (members: z.output<typeof membersOf>): readonly string[] | null =>
    members.find(({ user }) => user.id === bot)?.roles ?? null;
  const keep = hearing(whole, (one) => {
    const managing = one.roles.filter(({ permissions }) => isManaging(permissions));
    all.set(one.id, {
      name: one.name ?? null,
      owner: one.owner_id,
      locale: one.preferred_locale,
      managing: new Set(managing.map(({ id }) => id)),
      roles: new Map(one.roles.map((role) => [role.id, roleOf(role)])),
      own: ownIn(one.members) ?? all.get(one.id)?.own ?? null,
    });
  });
  const change = hearing(changed, ({ guild_id: guild, role: one }) => {
    const { id, permissions } = one;
    all.get(guild)?.roles.set(id, roleOf(one));
    const managing = all.get(guild)?.managing;
    if (isManaging(permissions)) managing?.add(id);
    else managing?.delete(id);
  });
  const roleWith = (id: string): Role | undefined => {
    for (const { roles } of all.values()) {
      const found = roles.get(id);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    hear: dispatchByType({
      READY: hearing(ready, ({ user }) => {
        bot = user.id;
      }),
      // Discord sends every bot the changes of the bot's own member.
      GUILD_MEMBER_UPDATE: hearing(changedMember, ({ guild_id: guild, ...one }) => {
        const known = all.get(guild);
        if (known !== undefined && one.user.id === bot) known.own = one.roles;
      }),
      GUILD_CREATE: keep,
      GUILD_UPDATE: keep,
      GUILD_ROLE_CREATE: change,
      GUILD_ROLE_UPDATE: change,
      GUILD_ROLE_DELETE: hearing(removed, ({ guild_id: guild, role_id: id }) => {
        all.get(guild)?.managing.delete(id);
        all.get(guild)?.roles.delete(id);
      }),
      GUILD_DELETE: hearing(withIdSchema, ({ id }) => void all.delete(id)),
    }),
    nameOf: (guild: string): string | null => all.get(guild)?.name ?? null,
    /** Null if the gateway has not named the id as a role. */
    roleName: (id: string): string | null => roleWith(id)?.name ?? null,
    /**
     * Permissions of the bot in a channel with these overwrites; null if the gateway has not named the bot's
     * roles.
     */
    permissions: (guild: string, overwrites: readonly Overwrite[]): bigint | null => {
      const known = all.get(guild);
      if (bot === null || known === undefined || known.own === null) return null;
      const permissions = new Map([...known.roles].map(([id, one]) => [id, one.permissions]));
      return permissionsIn({ guild, bot, roles: known.own, permissions }, overwrites);
    },
    /** The app for which Discord manages the role; null for any other role. */
    appOf: (role: string): string | null => roleWith(role)?.app ?? null,
    /**
     * Language that the server chose. A server without a choice reports American English, so that counts as
     * none.
     */
    languageOf: (guild: string): Language | null => {
      const locale = all.get(guild)?.locale;
      return locale === undefined || locale === UNCHOSEN ? null : languageIn([locale]);
    },
    /** Null if the server is unknown. */
    manages: (guild: string, person: string, roles: readonly string[]): boolean | null => {
      const known = all.get(guild);
      if (known === undefined) return null;
      // The role with the server's id belongs to every member.
      return known.owner === person || [...roles, guild].some((role) => known.managing.has(role));
    },
  };
};

const UNCHOSEN = "en-US";

const roleOf = ({ name, tags, permissions }: z.output<typeof role>): Role => ({
  name,
  app: tags?.bot_id ?? null,
  permissions: BigInt(permissions),
});

const role = z.object({
  id: z.string(),
  name: z.string().default(""),
  permissions: z.string().regex(/^\d+$/),
  managed: z.boolean().default(false),
  mentionable: z.boolean().default(false),
  tags: z.object({ bot_id: z.string().nullish() }).nullish().catch(null),
});
const memberOf = z.object({ user: withIdSchema, roles: z.array(z.string()) });
const membersOf = z.array(memberOf).catch([]).default([]);
const ready = z.object({ user: withIdSchema });
const changedMember = memberOf.extend({ guild_id: z.string() });
const whole = z.object({
  id: z.string(),
  name: z.string().optional(),
  owner_id: z.string(),
  preferred_locale: z.string().default(UNCHOSEN),
  roles: z.array(role),
  members: membersOf,
});
const changed = z.object({ guild_id: z.string(), role });
const removed = z.object({ guild_id: z.string(), role_id: z.string() });
