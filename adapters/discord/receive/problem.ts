/** Permanent connection problems, with remedies for the operator. Pure. */

import { DiscordAPIError, HTTPError } from "@discordjs/rest";
import { GatewayCloseCodes } from "discord-api-types/v10";

export interface ConnectionProblem {
  readonly message: string;
  readonly remedy: string;
  /** Whether the problem may end without the operator. Discord has refused good tokens during incidents. */
  readonly isPassing?: true;
}

/** Flags of the application from GET /applications/@me. */
const GRANTED = {
  "Message Content Intent": (1 << 18) | (1 << 19),
} as const;

const PORTAL = "https://discord.com/developers/applications";

/** Returns the privileged intents that Parley needs and the developer portal does not grant. */
export const missingIntents = (flags: number): readonly string[] =>
  Object.entries(GRANTED).flatMap(([name, bits]) => ((flags & bits) === 0 ? [name] : []));

export const tokenProblem = (why: string): ConnectionProblem => ({
  message: `Discord refuses the bot's token: ${why}`,
  remedy: `Open ${PORTAL}, choose the application, Bot, Reset Token, and set DISCORD_TOKEN to the new one. Parley retries every five minutes.`,
  isPassing: true,
});

export const malformedToken: ConnectionProblem = {
  message: "Discord refuses the bot's token: the value does not have the form of a bot token",
  remedy: `Open ${PORTAL}, choose the application, Bot, Reset Token, and set DISCORD_TOKEN to the new one.`,
};

/** `missing`: names of the intents, if readable. `application`: its id. */
export const intentsProblem = (missing: readonly string[], application: string | null): ConnectionProblem => {
  const named = missing.length === 0 ? "a privileged intent" : missing.join(" and ");
  return {
    message: `The application is not granted ${named}`,
    remedy: `Switch on ${named} at ${PORTAL}/${application ?? "(the application)"}/bot under Privileged Gateway Intents, and restart Parley.`,
  };
};

/** Null if the gateway may be tried again. */
export const problemOfClose = (code: number): ConnectionProblem | null => {
  const codes: Readonly<Record<number, ConnectionProblem>> = {
    [GatewayCloseCodes.AuthenticationFailed]: tokenProblem("the gateway closed with 4004"),
    [GatewayCloseCodes.InvalidShard]: shardingProblem("4010"),
    [GatewayCloseCodes.ShardingRequired]: shardingProblem("4011"),
    [GatewayCloseCodes.InvalidAPIVersion]: clientProblem("4012, invalid API version"),
    [GatewayCloseCodes.InvalidIntents]: clientProblem("4013, invalid intents"),
  };
  return codes[code] ?? null;
};

/** Classifies a failed login; null if it may be tried again. */
export const problemOfLogin = (error: unknown): ConnectionProblem | null =>
  error instanceof DiscordAPIError && error.status === 401 ? tokenProblem("401 Unauthorized") : null;

export const reasonOf = (error: unknown): string => {
  if (error instanceof HTTPError) return `HTTP ${error.status}`;
  return error instanceof Error ? error.message : String(error);
};

const shardingProblem = (code: string): ConnectionProblem => ({
  message: `Discord requires a different number of shards (${code})`,
  remedy: "Restart Parley; each start requests the number.",
});

const clientProblem = (what: string): ConnectionProblem => ({
  message: `Discord rejects the protocol of this version of Parley (${what})`,
  remedy: "Update Parley.",
});
