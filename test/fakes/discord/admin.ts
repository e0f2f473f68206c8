/** What a server's administrators and Discord itself do to people, channels and the app. */

import { AuditLogEvent, GatewayIntentBits as Intent, PermissionFlagsBits } from "discord.js";
import { removeChannel, remove } from "./people/acts.ts";
import type { Discord } from "./discord.ts";
import { tellChannel, tellGuild } from "./events.ts";
import { appPermissions, bitsOf, type Permission, permissionsIn } from "./rules/permissions.ts";
import { guildCreateWire, memberWire, roleWire, userWire } from "./wire.ts";
import type { Channel, Guild, Json, Member, Role } from "./world.ts";
import { can } from "./rules/access.ts";

export interface Admin {
  /** Takes permissions of everybody, a role or a person away in a channel, or gives them. */
  overwrite(
    channel: string,
    whom: string,
    change: { readonly allow?: readonly Permission[]; readonly deny?: readonly Permission[] },
  ): void;
  ban(guild: string, name: string): void;
  timeOut(guild: string, name: string, milliseconds: number): void;
  giveRole(guild: string, name: string, role: string): void;
  /** What the members of the role may do from now on, by the role's name. */
  setRole(guild: string, role: string, permissions: readonly Permission[]): void;
  /** Lets everybody mention the role. */
  openRole(guild: string, role: string): void;
  deleteChannel(channel: string): void;
  deleteThread(thread: string): void;
  /** Several messages at once, as moderation bots do. */
  purge(channel: string, ids: readonly string[]): void;
  /** A guild is away for a while, and back. */
  outage(guild: string): void;
  recover(guild: string): void;
  /** Opens the invitation: the app is in the guild with those permissions (unset: all that the invitation asks for). */
  inviteApp(guild: string, permissions?: readonly Permission[]): void;
  /** The app is thrown out. */
  kickApp(guild: string): void;
}

export const createAdmin = (discord: Discord): Admin => {
  const { world } = discord;

  const memberOf = (guild: Guild, name: string): Member => {
    const member = guild.members.get(world.userNamed(name).id);
    if (member === undefined) throw new Error(`${name} is not in ${guild.name}`);
    return member;
  };
  const putMember = (guild: Guild, member: Member): void => {
    guild.members.set(member.user, member);
    // A bot is told of its own member whatever its intents.
    const intent = member.user === world.app.bot ? 0 : Intent.GuildMembers;
    tellGuild(discord, "GUILD_MEMBER_UPDATE", guild, intent, memberWire(world, member));
  };
  const leave = (guild: Guild, user: string): void => {
    guild.members.delete(user);
    tellGuild(discord, "GUILD_MEMBER_REMOVE", guild, Intent.GuildMembers, { user: userOf(user) });
  };
  /** Only for apps that may view the audit log. */
  const tellAudit = (guild: Guild, action: number, target: string, changes: readonly Json[]): void => {
    const held = permissionsIn(guild, undefined, undefined, world.app.bot, discord.clock.now());
    if ((held & PermissionFlagsBits.ViewAuditLog) === 0n) return;
    tellGuild(discord, "GUILD_AUDIT_LOG_ENTRY_CREATE", guild, Intent.GuildModeration, {
      id: world.nextId(),
      action_type: action,
      target_id: target,
      user_id: guild.owner,
      changes,
    });
  };
  const userOf = (id: string) => userWire(world.users.get(id) ?? { id, name: "deleted_user", isBot: false });
  const changeRole = (where: string, roleName: string, change: Partial<Role>): void => {
    const guild = world.guildNamed(where);
    const role = [...guild.roles.values()].find(({ name }) => name === roleName);
    if (role === undefined) throw new Error(`no role ${roleName}`);
    const after = { ...role, ...change };
    guild.roles.set(role.id, after);
    tellGuild(discord, "GUILD_ROLE_UPDATE", guild, Intent.Guilds, { role: roleWire(after, 1) });
  };
  const tellGuildCreate = (guild: Guild): void =>
    discord.dispatch({
      type: "GUILD_CREATE",
      guild: guild.id,
      intent: Intent.Guilds,
      data: () =>
        guildCreateWire(world, guild, (channel) => can(discord, world.app.bot, channel, "ViewChannel")),
    });
  const target = (
    channel: Channel,
    whom: string,
  ): { readonly id: string; readonly type: "role" | "member" } => {
    const guild = world.guilds.get(channel.guild ?? "");
    const role = [...(guild?.roles.values() ?? [])].find(({ name }) => name === whom);
    return role === undefined
      ? { id: world.userNamed(whom).id, type: "member" }
      : { id: role.id, type: "role" };
  };

  return {
    overwrite: (where, whom, { allow = [], deny = [] }) => {
      const channel = world.channelNamed(where);
      if (channel.kind === "thread") throw new Error("threads have the permissions of their channel");
      const one = { ...target(channel, whom), allow: bitsOf(...allow), deny: bitsOf(...deny) };
      const after = {
        ...channel,
        overwrites: [...channel.overwrites.filter(({ id }) => id !== one.id), one],
      };
      world.putChannel(after);
      tellChannel(discord, "CHANNEL_UPDATE", after);
    },
    ban: (where, name) => {
      const guild = world.guildNamed(where);
      const { user } = memberOf(guild, name);
      guild.bans.add(user);
      leave(guild, user);
      tellGuild(discord, "GUILD_BAN_ADD", guild, Intent.GuildModeration, { user: userOf(user) });
    },
    timeOut: (where, name, milliseconds) => {
      const guild = world.guildNamed(where);
      const timeoutUntil = discord.clock.now() + milliseconds;
      const member = memberOf(guild, name);
      putMember(guild, { ...member, timeoutUntil });
      tellAudit(guild, AuditLogEvent.MemberUpdate, member.user, [
        { key: "communication_disabled_until", new_value: new Date(timeoutUntil).toISOString() },
      ]);
    },
    giveRole: (where, name, roleName) => {
      const guild = world.guildNamed(where);
      const member = memberOf(guild, name);
      const known = [...guild.roles.values()].find((one) => one.name === roleName);
      const role = known ?? { id: world.nextId(), name: roleName, permissions: 0n };
      guild.roles.set(role.id, role);
      if (known === undefined)
        tellGuild(discord, "GUILD_ROLE_CREATE", guild, Intent.Guilds, { role: roleWire(role, 1) });
      putMember(guild, { ...member, roles: [...member.roles, role.id] });
    },
    setRole: (where, name, permissions) => changeRole(where, name, { permissions: bitsOf(...permissions) }),
    openRole: (where, name) => changeRole(where, name, { mentionable: true }),
    deleteChannel: (where) => removeChannel(discord, world.channelNamed(where)),
    deleteThread: (where) => removeChannel(discord, world.channelNamed(where)),
    purge: (where, ids) => {
      const channel = world.channelNamed(where);
      remove(
        discord,
        ids.flatMap((id) => world.message(channel.id, id) ?? []),
      );
    },
    outage: (where) => {
      const guild = world.guildNamed(where);
      discord.dispatch({
        type: "GUILD_DELETE",
        guild: guild.id,
        intent: Intent.Guilds,
        data: () => ({ id: guild.id, unavailable: true }),
      });
    },
    recover: (where) => tellGuildCreate(world.guildNamed(where)),
    inviteApp: (where, permissions) => {
      const guild = world.guildNamed(where);
      const { bot, name } = world.app;
      const known = [...guild.roles.values()].find(({ managedFor }) => managedFor === bot);
      const id = known?.id ?? world.nextId();
      const bits = permissions === undefined ? appPermissions : bitsOf(...permissions);
      guild.roles.set(id, { id, name, permissions: bits, managedFor: bot });
      guild.members.set(bot, { user: bot, roles: [id], joinedAt: discord.clock.now(), timeoutUntil: null });
      tellGuildCreate(guild);
    },
    kickApp: (where) => {
      const guild = world.guildNamed(where);
      guild.members.delete(world.app.bot);
      discord.dispatch({
        type: "GUILD_DELETE",
        guild: guild.id,
        intent: Intent.Guilds,
        data: () => ({ id: guild.id }),
      });
    },
  };
};
