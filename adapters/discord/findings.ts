/**
 * Doctor's checks of Discord: the token, its intents and permissions, and the channels and people in the
 * settings.
 */

import * as z from "zod";
import { error, type Finding, judged, ok, warning } from "../../src/ports/finding.ts";
import type { NamedChannels, SharedChecks } from "../../src/ports/platform-entry.ts";
import { omitUndefined } from "../../src/text/omit-undefined.ts";
import type { DiscordSettings } from "./adapter.ts";
import { inviteUrl, missingPermissions, spaced } from "./read/manifest.ts";
import { createPlaceChecks, type DiscordPlaceChecks, type ChannelPurpose } from "./read/check-places.ts";
import { whyOf } from "../../src/ports/surface.ts";
import { withIdSchema } from "./read/hearing.ts";
import { discordFailureOf } from "./api/failure.ts";
import { intentsProblem, missingIntents, type ConnectionProblem, problemOfLogin } from "./receive/problem.ts";
import { type CallsOptions, createDiscordCalls } from "./api/calls.ts";

const MOST_SERVERS = 5;

type CheckedSettings = Pick<DiscordSettings, "token" | "apiUrl" | "channels" | "answer" | "guild">;

export async function* discordFindings(
  settings: CheckedSettings,
  shared: SharedChecks,
): AsyncGenerator<Finding> {
  const { token, apiUrl } = settings;
  const checked = await checkDiscord(omitUndefined({ token, apiUrl }));
  switch (checked.kind) {
    case "usable":
      yield* usableFindings(settings, shared, checked);
      break;
    case "unusable":
      yield error("discord", checked.problem.message, checked.problem.remedy);
      break;
    case "unreached":
      yield error("discord", checked.why, "Check the network, and DISCORD_API_URL if it is set.");
  }
}

type Usable = Extract<Checked, { readonly kind: "usable" }>;

async function* usableFindings(
  settings: CheckedSettings,
  shared: SharedChecks,
  checked: Usable,
): AsyncGenerator<Finding> {
  const { servers, lacking, application, checks } = checked;
  try {
    yield ok(
      "discord",
      `${checked.name} may connect, in ${servers.length} servers, with all required intents`,
    );
    if (servers.length === 0) {
      yield warning(
        "discord servers",
        "the bot is in no server",
        `Invite the bot: ${inviteUrl(application)}`,
      );
    }
    const home = settings.guild ?? null;
    if (home !== null && !servers.includes(home)) {
      yield error(
        "discord servers",
        `the bot is not in PARLEY_DISCORD_GUILD (${home})`,
        `Correct the id, or invite the bot: ${inviteUrl(application)}`,
      );
    }
    for (const { server, permissions } of lacking.slice(0, MOST_SERVERS)) {
      yield warning(
        "discord permissions",
        `${server}: missing ${permissions.map(spaced).join(", ")}`,
        `Grant the permissions to the bot's role, or invite the bot again: ${inviteUrl(application)}`,
      );
    }
    const commands = await checks.commands(home);
    const remedy = "Start Parley (npm start); each start registers the commands.";
    yield judged(commands.usable, "discord commands", commands.found, remedy);
    yield* shared.places(checks, channelsOf(settings, shared), "Let the bot see and use the channel");
  } finally {
    checked.close();
  }
}

const channelsOf = (
  { channels, answer }: CheckedSettings,
  shared: SharedChecks,
): readonly NamedChannels<ChannelPurpose>[] => [
  ...shared.told.map(({ setting, place }) => [setting, [place], "tell"] as const),
  ["PARLEY_DISCORD_CHANNELS", channels ?? [], "work"],
  ["PARLEY_DISCORD_AUTO_ANSWER_FORUMS", answer, "answer"],
  ["/parley review", shared.reviewChannels, "tell"],
];

type Checked =
  | {
      readonly kind: "usable";
      readonly name: string;
      readonly application: string;
      /** Servers in which the bot lacks required permissions, among the first two hundred. */
      readonly lacking: readonly { readonly server: string; readonly permissions: readonly string[] }[];
      /** Ids of the first two hundred servers. */
      readonly servers: readonly string[];
      readonly checks: DiscordPlaceChecks;
      close(): void;
    }
  | { readonly kind: "unusable"; readonly problem: ConnectionProblem }
  | { readonly kind: "unreached"; readonly why: string };

export const checkDiscord = async (options: CallsOptions): Promise<Checked> => {
  const calls = createDiscordCalls(options);
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
    return { kind: "unreached", why: whyOf(discordFailureOf(error), "Discord") };
  }
};

const guilds = z.array(
  z.object({ id: z.string(), name: z.string(), permissions: z.string().regex(/^\d+$/) }),
);
const application = z.object({
  id: z.string(),
  name: z.string(),
  flags: z.int(),
  bot: withIdSchema,
});
