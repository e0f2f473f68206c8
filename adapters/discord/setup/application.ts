/** The bot's application: its token, and the intents that can be switched on by the token itself. */

import { ApplicationFlags } from "discord-api-types/v10";
import * as z from "zod";
import { whyOf } from "../../../src/ports/surface.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { discordFailureOf } from "../api/failure.ts";
import { withIdSchema } from "../read/hearing.ts";
import { applicationOf } from "../read/manifest.ts";
import { missingIntents, problemOfLogin } from "../receive/problem.ts";

export interface Application {
  readonly id: string;
  readonly name: string;
  readonly bot: string;
  readonly flags: number;
}

export type TokenCheck =
  | { readonly kind: "good"; readonly value: { readonly token: string; readonly application: Application } }
  | { readonly kind: "refused"; readonly why: string };

export const PORTAL = "https://discord.com/developers/applications";

/** `answer`: as pasted, also with quotes, the word `Bot`, or as a line of a settings file. */
export const checkToken = async (
  answer: string,
  callsFor: (token: string) => DiscordCalls,
): Promise<TokenCheck> => {
  const token = answer
    .trim()
    .replace(/^(?:[A-Z_]+=)?["']?(?:Bot\s+)?/, "")
    .replace(/["']$/, "");
  const id = applicationOf(token);
  if (id === null || token.split(".").length !== 3)
    return { kind: "refused", why: `${kindOf(token)}: ${COPY}` };
  const calls = callsFor(token);
  try {
    const read = applicationSchema.parse(await calls.call("GET", "/applications/@me"));
    return { kind: "good", value: { token, application: { ...read, bot: read.bot.id } } };
  } catch (error) {
    if (problemOfLogin(error) !== null) {
      return {
        kind: "refused",
        why: `Discord refuses the token, which was reset or mistyped: click Reset Token at ${PORTAL}/${id}/bot and paste the new one`,
      };
    }
    return { kind: "refused", why: unreachedText(error) };
  } finally {
    calls.close();
  }
};

const COPY = `open ${PORTAL}, choose the application, Bot, Reset Token, and paste the new token`;

const kindOf = (token: string): string =>
  OTHERS.find(([form]) => form.test(token))?.[1] ?? "This is no bot token";

const OTHERS = [
  [/^$/, "There is no token"],
  [/^\d{15,25}$/, "This is an id"],
  [/^[0-9a-f]{64}$/i, "This is the application's public key"],
  [/^[\w-]{32}$/, "This is a client secret"],
  [/^https:/, "This is a link"],
] as const;

const unreachedText = (error: unknown): string => {
  const trouble = discordFailureOf(error);
  return trouble.kind === "throttled"
    ? `Discord limits the rate of requests: try again in ${Math.ceil(trouble.retryAfter / 1_000)} seconds`
    : `Discord gives no usable answer (${whyOf(trouble, "Discord")}): check the network, HTTPS_PROXY and DISCORD_API_URL, and try again`;
};

export type SwitchResult =
  | { readonly kind: "on"; readonly isNew: boolean; readonly names: readonly string[] }
  | { readonly kind: "off"; readonly missing: readonly string[]; readonly why: string };

/** The only flags that an application may change itself. */
const CHANGEABLE =
  ApplicationFlags.GatewayPresenceLimited |
  ApplicationFlags.GatewayGuildMembersLimited |
  ApplicationFlags.GatewayMessageContentLimited;

/**
 * Switches the missing intents on, and reads the flags again. A verified application must request intents from Discord instead.
 */
export const switchIntentsOn = async (
  calls: DiscordCalls,
  { flags: known }: Pick<Application, "flags">,
): Promise<SwitchResult> => {
  const missing = missingIntents(known);
  if (missing.length === 0) return { kind: "on", isNew: false, names: [] };
  try {
    const flags = (known & CHANGEABLE) | ApplicationFlags.GatewayMessageContentLimited;
    const changed = flagsSchema.parse(await calls.call("PATCH", "/applications/@me", { body: { flags } }));
    return missingIntents(changed.flags).length === 0
      ? { kind: "on", isNew: true, names: missing }
      : { kind: "off", missing, why: "Discord did not switch it on" };
  } catch (error) {
    return {
      kind: "off",
      missing,
      why: `Discord refused to switch it on: ${whyOf(discordFailureOf(error), "Discord")}`,
    };
  }
};

export const hasIntents = async (calls: DiscordCalls): Promise<boolean> => {
  try {
    const { flags } = flagsSchema.parse(await calls.call("GET", "/applications/@me"));
    return missingIntents(flags).length === 0;
  } catch {
    return false;
  }
};

const flagsSchema = z.object({ flags: z.int() });
const applicationSchema = z.object({
  id: z.string(),
  name: z.string(),
  flags: z.int(),
  bot: withIdSchema,
});
