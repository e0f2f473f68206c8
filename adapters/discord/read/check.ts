/** Whether the bot's token works and its application is granted what Parley asks for; for doctor. */

import * as z from "zod";
import { whyOf } from "../../../src/ports/surface.ts";
import { named } from "./hearing.ts";
import { troubleOf } from "../write/failure.ts";
import { missingPermissions } from "../receive/manifest.ts";
import { intentsProblem, missingIntents, type Problem, problemOfLogin } from "../receive/problem.ts";
import { createPlaceChecks, type PlaceChecks } from "./check-places.ts";
import { type CallsOptions, createCalls } from "../write/api.ts";

export type Checked =
  | {
      readonly kind: "usable";
      readonly name: string;
      readonly application: string;
      /** Servers in which the bot lacks permissions that it needs, of the first two hundred. */
      readonly lacking: readonly { readonly server: string; readonly permissions: readonly string[] }[];
      /** Ids of the first two hundred. */
      readonly servers: readonly string[];
      readonly checks: PlaceChecks;
      close(): void;
    }
  | { readonly kind: "unusable"; readonly problem: Problem }
  | { readonly kind: "unreached"; readonly why: string };

export const checkDiscord = async (options: CallsOptions): Promise<Checked> => {
  const calls = createCalls(options);
  try {
    const { id, name, flags, bot } = application.parse(await calls.call("GET", "/applications/@me"));
    const missing = missingIntents(flags);
    if (missing.length > 0) {
      calls.close();
      return { kind: "unusable", problem: intentsProblem(missing, id) };
    }
    const joined = guilds.parse(await calls.call("GET", "/users/@me/guilds"));
    const lacking = joined
      .map((guild) => ({ server: guild.name, permissions: missingPermissions(guild.permissions) }))
      .filter(({ permissions }) => permissions.length > 0);
    const servers = joined.map((guild) => guild.id);
    const checks = createPlaceChecks(calls, { application: id, bot: bot.id, guilds: servers });
    return { kind: "usable", name, application: id, lacking, servers, checks, close: () => calls.close() };
  } catch (error) {
    calls.close();
    const problem = problemOfLogin(error);
    if (problem !== null) return { kind: "unusable", problem };
    return { kind: "unreached", why: whyOf(troubleOf(error), "Discord") };
  }
};

const guilds = z.array(
  z.object({ id: z.string(), name: z.string(), permissions: z.string().regex(/^\d+$/) }),
);
const application = z.object({
  id: z.string(),
  name: z.string(),
  flags: z.int(),
  bot: named,
});
