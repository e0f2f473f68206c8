/** Doctor's checks whether the ids in the settings exist in the bot's servers and serve their purpose. */

import * as z from "zod";
import type { Approver } from "../../../src/ports/chat-platform.ts";
import type { PlaceCheck } from "../../../src/ports/platform-entry.ts";
import { missingPermissions, spaced } from "./manifest.ts";
import { permissionsIn, type GuildRoles } from "./permissions.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { readDiscordChannel } from "./channel.ts";
import { isNotified, readRoles } from "./guilds.ts";
import { discordUnreadOf } from "./people.ts";
import { ASK, ASK_ABOUT, PARLEY } from "./read.ts";

export type DiscordPlaceChecks = ReturnType<typeof createPlaceChecks>;

/** `answer`: answer new posts, which requires a forum. `tell`: notify the operator. */
export type ChannelPurpose = "work" | "answer" | "tell";

const FORUM = 15;
const TO_TELL: readonly string[] = ["ViewChannel", "SendMessages", "ReadMessageHistory"];

/** `application`, `bot`: ids. `guilds`: ids of the bot's servers. */
export const createPlaceChecks = (
  calls: DiscordCalls,
  ids: { readonly application: string; readonly bot: string; readonly guilds: readonly string[] },
) => {
  const standing = async (guild: string): Promise<GuildRoles> => {
    const [all, me] = await Promise.all([
      readRoles(calls, guild),
      calls.call("GET", `/guilds/${guild}/members/${ids.bot}`),
    ]);
    const permissions = new Map(all.map((role) => [role.id, BigInt(role.permissions)]));
    return { guild, bot: ids.bot, roles: memberSchema.parse(me).roles, permissions };
  };

  const channel = async (id: string, purpose: ChannelPurpose): Promise<PlaceCheck> => {
    const read = await readDiscordChannel(calls, id);
    const name = `#${read.name ?? "unnamed"} (${id})`;
    if (purpose === "answer" && read.type !== FORUM)
      return { usable: false, found: `${name} is not a forum` };
    if (read.guild_id === undefined) return { usable: true, found: name };
    const held = permissionsIn(await standing(read.guild_id), read.permission_overwrites);
    const needed = (name: string): boolean => purpose !== "tell" || TO_TELL.includes(name);
    const missing = missingPermissions(String(held)).filter(needed).map(spaced);
    return missing.length === 0
      ? { usable: true, found: name }
      : { usable: false, found: `${name}: the bot lacks ${missing.join(", ")}` };
  };

  const group = async (id: string): Promise<PlaceCheck> => {
    for (const guild of ids.guilds) {
      const role = (await readRoles(calls, guild)).find((one) => one.id === id);
      if (role === undefined) continue;
      const found = `the role ${role.name} (${id})`;
      const held = permissionsIn(await standing(guild), []);
      return isNotified(role, held)
        ? { usable: true, found }
        : { usable: true, found, unnotified: UNNOTIFIED };
    }
    return { usable: false, found: `no server of the bot has the role ${id}` };
  };

  const person = async (id: string): Promise<PlaceCheck> => {
    for (const guild of ids.guilds) {
      const read = await calls.call("GET", `/guilds/${guild}/members/${id}`).catch(() => null);
      const { data } = named.safeParse(read);
      if (data !== undefined) return { usable: true, found: `${data.user.username} (${id})` };
    }
    return { usable: false, found: `${id} is not a member of any server of the bot` };
  };

  const registered = async (guild: string | null): Promise<PlaceCheck> => {
    const scope = guild === null ? "" : `/guilds/${guild}`;
    const route = `/applications/${ids.application}${scope}/commands` as const;
    const known = commandList.parse(await calls.call("GET", route)).map(({ name }) => name);
    const missing = [ASK, PARLEY, ASK_ABOUT].filter((name) => !known.includes(name));
    return missing.length === 0
      ? { usable: true, found: "all commands are registered" }
      : { usable: false, found: `not registered yet: ${missing.join(", ")}` };
  };

  return {
    channel: (id: string, purpose: ChannelPurpose) => said(id, () => channel(id, purpose)),
    approver: ({ kind, id }: Extract<Approver, { readonly id: string }>) =>
      said(id, () => (kind === "group" ? group(id) : person(id))),
    /** Checks whether the commands are registered. `guild`: null means everywhere. */
    commands: (guild: string | null) => said("the commands", () => registered(guild)),
  };
};

const UNNOTIFIED = {
  why: "a waiting question does not notify this role",
  remedy:
    "Let everyone @mention this role in the server settings, grant the bot Mention Everyone, or list persons as discord:ID in PARLEY_APPROVERS.",
};

/** Turns an error of Discord into a failed check with its reason. */
const said = async (what: string, task: () => Promise<PlaceCheck>): Promise<PlaceCheck> => {
  try {
    return await task();
  } catch (error) {
    return { usable: false, found: `${what}: ${discordUnreadOf(error).why}` };
  }
};

const memberSchema = z.object({ roles: z.array(z.string()) });
const named = z.object({ user: z.object({ username: z.string() }) });
const commandList = z.array(z.object({ name: z.string() }));
