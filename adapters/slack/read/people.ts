/** Reads the current rights of a person from Slack (D1, D2). A read failure is a value with a reason. */

import { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Person, PersonRead, Unread } from "../../../src/ports/chat-platform.ts";
import { mayPass } from "../../../src/ports/surface.ts";
import type { SlackIdentity } from "./identity.ts";
import { slackErrorCodeOf } from "../api/token-trouble.ts";
import { spoken } from "../../post/spoken.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import { createReadCoalescer } from "../../post/reads.ts";
import { createCourtesy, readFailure } from "../../post/trouble.ts";
import { slackFailureOf } from "../api/failure.ts";

/** Number of remembered names, which decide nothing. */
const NAMES = 2_000;

export type SlackPeople = ReturnType<typeof createSlackPeople>;

/** The bot's own organization: its workspace, and the Enterprise Grid around it. */
export type HomeOrganization = Pick<SlackIdentity, "team" | "enterprise">;

export const createSlackPeople = (client: webApi.WebClient, home: HomeOrganization) => {
  const names = createLruCache<string>(NAMES);
  const reads = createReadCoalescer<PersonRead>();

  const read = async (id: string, groups: readonly string[]): Promise<PersonRead> => {
    try {
      const [answer, ...members] = await Promise.all([
        client.users.info({ user: id, include_locale: true }),
        ...groups.map((usergroup) => client.usergroups.users.list({ usergroup })),
      ]);
      const { user } = infoAnswer.parse(answer);
      const name = nameOf(user);
      names.set(id, name);
      return {
        kind: "person",
        person: {
          id,
          name,
          standing: standingOf(user, home),
          admin: user.is_admin || user.is_owner || user.is_primary_owner,
          groups: groups.filter((_, index) => groupAnswer.parse(members[index]).users.includes(id)),
          ...spoken(user.locale),
        },
      };
    } catch (error) {
      return slackUnreadOf(error);
    }
  };

  const person = (id: string, groups: readonly string[]): Promise<PersonRead> =>
    reads([id, ...groups].join(" "), () => read(id, groups));

  return {
    person,
    /** Returns `@name`, or the id if Slack returns no name. */
    label: async (id: string): Promise<string> => {
      if (names.get(id) === undefined && /^[UW]/.test(id)) await person(id, []);
      const name = names.get(id);
      return name === undefined ? id : `@${name}`;
    },
  };
};

export const slackUnreadOf = (error: unknown): Unread =>
  error instanceof webApi.WebAPIPlatformError
    ? {
        kind: "unread",
        why: `Slack said: ${slackErrorCodeOf(error)}`,
        passing: mayPass(slackFailureOf(error)),
      }
    : readFailure(slackFailureOf(error), "Slack");

export const slackCourtesy = createCourtesy((error) => slackUnreadOf(error).why);

type User = z.output<typeof infoAnswer>["user"];

const nameOf = ({ profile, real_name: real, name }: User): string =>
  [profile.display_name, profile.real_name, real, name].find((one) => one !== undefined && one !== "") ??
  "unnamed";

const standingOf = (user: User, home: HomeOrganization): Person["standing"] => {
  if (user.deleted) return "deactivated";
  if (user.is_bot || user.id === "USLACKBOT") return "bot";
  if (user.is_stranger || !isOfHome(user, home)) return "external";
  return user.is_restricted || user.is_ultra_restricted ? "guest" : "member";
};

/**
 * WS2: `is_stranger` is false for people of a partner's organization in Slack Connect with its own Grid, so
 * teams are compared. People in other teams of the bot's own Grid count as members.
 */
const isOfHome = ({ team_id, enterprise_user }: User, { team, enterprise }: HomeOrganization): boolean =>
  team_id === team ||
  (enterprise !== null && (team_id === enterprise || enterprise_user?.enterprise_id === enterprise));

const flag = z.boolean().default(false);
const infoAnswer = z.object({
  user: z.object({
    id: z.string(),
    locale: z.string().optional(),
    team_id: z.string().default(""),
    name: z.string().optional(),
    real_name: z.string().optional(),
    profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).default({}),
    deleted: flag,
    is_bot: flag,
    is_stranger: flag,
    is_restricted: flag,
    is_ultra_restricted: flag,
    is_admin: flag,
    is_owner: flag,
    is_primary_owner: flag,
    enterprise_user: z.object({ enterprise_id: z.string().optional() }).optional().catch(undefined),
  }),
});
const groupAnswer = z.object({ users: z.array(z.string()) });
