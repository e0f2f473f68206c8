/** Who is who: auth.test, users.info, usergroups.users.list, bots.info; and the socket's address. */

import { z } from "zod";
import { count, flag, method, type Method } from "../method.ts";
import { ok, type Outcome, refuse } from "../outcome.ts";
import { userWire } from "../wire.ts";
import { app, enterprise, team } from "../world.ts";

const authTest = method({
  tier: "none",
  args: {},
  run: ({ world }): Outcome =>
    ok({
      ...([...world.users.values()].some(({ role }) => role === "sibling")
        ? { enterprise_id: enterprise }
        : {}),
      url: `https://${team.domain}.slack.com/`,
      team: team.name,
      user: app.name,
      team_id: team.id,
      user_id: app.user,
      bot_id: app.bot,
      is_enterprise_install: false,
    }),
});

const usersInfo = method({
  scopes: ["users:read"],
  tier: 4,
  args: { user: z.string(), include_locale: flag.optional() },
  run: (slack, args): Outcome => {
    const user = slack.world.users.get(args.user);
    return user === undefined ? refuse("user_not_found") : ok({ user: userWire(user) });
  },
});

/** By id, as many as asked for. */
const usersList = method({
  scopes: ["users:read"],
  tier: 2,
  args: { cursor: z.string().optional(), limit: count.optional(), include_locale: flag.optional() },
  run: (slack, { cursor = "", limit = 1_000 }): Outcome => {
    const users = [...slack.world.users.values()];
    const at = Number(cursor);
    const next = at + limit < users.length ? String(at + limit) : "";
    return ok({
      members: users.slice(at, at + limit).map(userWire),
      response_metadata: { next_cursor: next },
    });
  },
});

/** A group is called after its id: `SDEVS` is @devs. */
const groupsList = method({
  scopes: ["usergroups:read"],
  tier: 2,
  args: { include_users: flag.optional(), include_count: flag.optional(), include_disabled: flag.optional() },
  run: (slack): Outcome =>
    ok({
      usergroups: [...slack.world.groups.keys()].map((id) => ({
        id,
        team_id: team.id,
        is_usergroup: true,
        name: id.slice(1).toLowerCase(),
        handle: id.slice(1).toLowerCase(),
      })),
    }),
});

const groupUsers = method({
  scopes: ["usergroups:read"],
  tier: 2,
  args: { usergroup: z.string(), include_disabled: flag.optional() },
  run: (slack, args): Outcome => {
    const users = slack.world.groups.get(args.usergroup);
    return users === undefined ? refuse("no_such_subteam") : ok({ users });
  },
});

const botsInfo = method({
  scopes: ["users:read"],
  tier: 3,
  args: { bot: z.string().optional() },
  run: (_slack, args, caller): Outcome =>
    args.bot === app.bot
      ? ok({
          bot: {
            id: app.bot,
            app_id: caller?.app ?? app.id,
            user_id: app.user,
            name: app.name,
            deleted: false,
            updated: 0,
            icons: {},
          },
        })
      : refuse("bot_not_found"),
});

const connectionsOpen = method({
  token: "app",
  scopes: ["connections:write"],
  tier: "none",
  args: {},
  run: (slack): Outcome =>
    slack.apps.isSocketMode() ? ok({ url: slack.socketUrl() }) : refuse("link_disabled"),
});

export const peopleMethods: Readonly<Record<string, Method>> = {
  "auth.test": authTest,
  "users.info": usersInfo,
  "users.list": usersList,
  "usergroups.list": groupsList,
  "usergroups.users.list": groupUsers,
  "bots.info": botsInfo,
  "apps.connections.open": connectionsOpen,
};
