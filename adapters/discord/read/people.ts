/**
 * Reads the current rights of a person in a server (D1, D2): from the event if possible, otherwise from
 * Discord. A read failure is a value.
 */

import * as z from "zod";
import type { ChatPlatform, Person, Unread } from "../../../src/ports/chat-platform.ts";
import type { Clock } from "../../../src/ports/host.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import { spoken } from "../../post/spoken.ts";
import { createCourtesy, readFailure } from "../../post/trouble.ts";
import { isUnknownMember, discordFailureOf } from "../api/failure.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { type Guilds, isManaging } from "./guilds.ts";
import { member as memberShape, type MemberInfo } from "./message.ts";
import { displayNameOf, user } from "./visible.ts";

/** Number of remembered names, which decide nothing. */
const NAMES = 2_000;

export interface PeopleDeps {
  readonly calls: DiscordCalls;
  readonly clock: Pick<Clock, "now">;
  readonly guilds: Pick<Guilds, "manages">;
}

export const createDiscordPeople = ({ calls, clock, guilds }: PeopleDeps) => {
  const names = createLruCache<string>(NAMES);

  const remember = (id: string, name: string): string => {
    names.set(id, name);
    return name;
  };

  const name = async (id: string): Promise<string> => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const read = user.safeParse(await calls.call("GET", `/users/${id}`).catch(() => null));
    return read.success ? remember(id, displayNameOf(read.data)) : id;
  };

  const member = async (guild: string, id: string, groups: readonly string[]): Promise<Person> => {
    const [one, all] = await Promise.all([
      calls.call("GET", `/guilds/${guild}/members/${id}`),
      calls.call("GET", `/guilds/${guild}`),
    ]);
    const read = memberSchema.parse(one);
    const held = guildSchema.parse(all);
    return personOf(read, held.owner_id === id || runs(held.roles, [...read.roles, guild]), groups);
  };

  const personOf = (one: MemberInfo, admin: boolean, groups: readonly string[]): Person => ({
    id: one.user.id,
    name: remember(one.user.id, one.nick ?? displayNameOf(one.user)),
    standing: standingOf(one, clock.now()),
    admin,
    groups: groups.filter((group) => one.roles.includes(group)),
    ...spoken(one.locale),
  });

  /** Null if the event does not show whether the person manages the server. */
  const told = (guild: string, one: MemberInfo, groups: readonly string[]): Person | null => {
    const { user: who, roles, permissions } = one;
    const admin = permissions === undefined ? guilds.manages(guild, who.id, roles) : isManaging(permissions);
    return admin === null ? null : personOf(one, admin, groups);
  };

  const stranger = async (id: string): Promise<Person> => {
    const read = user.parse(await calls.call("GET", `/users/${id}`));
    const standing = read.bot ? "bot" : "member";
    return { id, name: remember(id, displayNameOf(read)), standing, admin: false, groups: [] };
  };

  return {
    name,
    /**
     * `guild`: null for direct messages, which have no managers. `seen`: member data of a recent
     * event.
     */
    in: (guild: string | null, seen: MemberInfo | null): Pick<ChatPlatform, "person" | "label"> => ({
      person: async (id, groups) => {
        const known = guild === null || seen?.user.id !== id ? null : told(guild, seen, groups);
        if (known !== null) return { kind: "person", person: known };
        try {
          return {
            kind: "person",
            person: await (guild === null ? stranger(id) : member(guild, id, groups)),
          };
        } catch (error) {
          return isUnknownMember(error)
            ? { kind: "person", person: { id, name: id, standing: "external", admin: false, groups: [] } }
            : discordUnreadOf(error);
        }
      },
      label: async (id) => (/^\d+$/.test(id) ? `@${await name(id)}` : id),
    }),
  };
};

/** Returns the reason why a read failed, in words for a person. */
export const discordUnreadOf = (error: unknown): Unread => readFailure(discordFailureOf(error), "Discord");

export const discordCourtesy = createCourtesy((error) => discordUnreadOf(error).why);

const runs = (roles: z.output<typeof guildSchema>["roles"], held: readonly string[]): boolean =>
  roles.some(({ id, permissions }) => held.includes(id) && isManaging(permissions));

/** A timed-out member must not start work. A member who has not passed the server's screening is a guest. */
const standingOf = (
  { user: { bot }, pending, communication_disabled_until: until }: MemberInfo,
  now: number,
): Person["standing"] => {
  if (bot) return "bot";
  if (typeof until === "string" && Date.parse(until) > now) return "deactivated";
  return pending ? "guest" : "member";
};

const memberSchema = memberShape.omit({ permissions: true }).extend({ user });
const guildSchema = z.object({
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: z.string().regex(/^\d+$/) })),
});
