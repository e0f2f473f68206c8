/** The app itself, people, guilds and their members, and where the gateway is. */

import type { Discord } from "../discord.ts";
import { ok, type Outcome, refuse } from "../outcome.ts";
import type { Ask, Routes } from "../route.ts";
import { channelWire, guildWire, memberWire, roleWire, userWire } from "../wire.ts";
import type { Guild, Json } from "../world.ts";
import { can } from "../rules/access.ts";
import { permissionsIn } from "../rules/permissions.ts";

export const peopleRoutes: Routes = {
  "GET /gateway": { isOpen: true, serve: (discord) => ok({ url: discord.gateway()["url"] }) },
  "GET /gateway/bot": { answers: "GatewayBotResponse", serve: (discord) => ok(discord.gateway()) },
  "GET /users/@me": { answers: "UserPIIResponse", serve: ({ world }) => ok(myself(world.app)) },
  "GET /users/@me/guilds": {
    answersMany: "MyGuildResponse",
    serve: ({ world, clock }) =>
      ok(
        [...world.guilds.values()]
          .filter(({ members }) => members.has(world.app.bot))
          .map((guild) => myGuild(guild, world.app.bot, clock.now())),
      ),
  },
  "POST /users/@me/channels": {
    takes: "CreatePrivateChannelRequest",
    answers: "PrivateChannelResponse",
    serve: ({ world }, ask) => {
      const user: unknown = Object(ask.body).recipient_id;
      return typeof user === "string" && world.users.has(user)
        ? ok(channelWire(world, world.directChannel(user)))
        : refuse("unknownUser");
    },
  },
  "GET /users/{user}": {
    answers: "UserResponse",
    serve: ({ world }, ask) => {
      const user = world.users.get(ask.param("user"));
      return user === undefined ? refuse("unknownUser") : ok(userWire(user));
    },
  },
  "GET /applications/@me": {
    answers: "PrivateApplicationResponse",
    serve: (discord) => ok(application(discord)),
  },
  "PATCH /applications/@me": {
    takes: "ApplicationFormPartial",
    answers: "PrivateApplicationResponse",
    serve: (discord, ask) => {
      const flags: unknown = Object(ask.body).flags;
      if (flags === undefined) return ok(application(discord));
      return typeof flags === "number" && discord.changeFlags(flags)
        ? ok(application(discord))
        : refuse("flagsRefused");
    },
  },
  "GET /oauth2/applications/@me": {
    answers: "PrivateApplicationResponse",
    serve: (discord) => ok(application(discord)),
  },
  "GET /guilds/{guild}": {
    answers: "GuildWithCountsResponse",
    serve: (discord, ask) => onGuild(discord, ask, (guild) => ok(guildWire(guild))),
  },
  "GET /guilds/{guild}/roles": {
    answersMany: "GuildRoleResponse",
    serve: (discord, ask) => onGuild(discord, ask, (guild) => ok([...guild.roles.values()].map(roleWire))),
  },
  "GET /guilds/{guild}/channels": {
    serve: (discord, ask) =>
      onGuild(discord, ask, (guild) =>
        ok(
          [...guild.channels]
            .flatMap((id) => discord.world.channels.get(id) ?? [])
            .filter(
              (channel) =>
                channel.kind !== "thread" && can(discord, discord.world.app.bot, channel, "ViewChannel"),
            )
            .map((channel) => channelWire(discord.world, channel)),
        ),
      ),
  },
  "GET /guilds/{guild}/members/{user}": {
    answers: "GuildMemberResponse",
    serve: (discord, ask) =>
      onGuild(discord, ask, (guild) => {
        const member = guild.members.get(ask.param("user"));
        return member === undefined ? refuse("unknownMember") : ok(memberWire(discord.world, member));
      }),
  },
};

const onGuild = ({ world }: Discord, ask: Ask, then: (guild: Guild) => Outcome): Outcome => {
  const guild = world.guilds.get(ask.param("guild"));
  return guild === undefined || !guild.members.has(world.app.bot) ? refuse("unknownGuild") : then(guild);
};

const myGuild = (guild: Guild, bot: string, now: number): Json => ({
  id: guild.id,
  name: guild.name,
  icon: null,
  banner: null,
  owner: false,
  permissions: String(permissionsIn(guild, undefined, undefined, bot, now)),
  features: [],
});

const myself = ({ bot, name }: { readonly bot: string; readonly name: string }): Json => ({
  ...userWire({ id: bot, name, isBot: true }),
  mfa_enabled: true,
  locale: "en-US",
  verified: true,
  email: null,
});

const application = (discord: Discord): Json => {
  const { world } = discord;
  const [guild] = world.guilds.values();
  const owner = world.users.get(guild?.owner ?? "") ?? { id: world.app.id, name: "owner", isBot: false };
  const flags = discord.applicationFlags();
  return {
    id: world.app.id,
    name: world.app.name,
    icon: null,
    description: "",
    type: null,
    bot: myself(world.app),
    bot_public: true,
    bot_require_code_grant: false,
    flags,
    flags_new: String(flags),
    integration_types_config: {},
    verify_key: "0".repeat(64),
    redirect_uris: [],
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    owner: userWire(owner),
    approximate_guild_count: world.guilds.size,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    event_webhooks_status: 1,
    event_webhooks_types: [],
    explicit_content_filter: 0,
    team: null,
    eligible_oauth2_scopes: [],
  };
};
