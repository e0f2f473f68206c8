/** What doctor asks of Discord: whether the token works, what is not switched on, and whether the ids of the settings serve. */

import { type Checked, checkDiscord } from "../../../adapters/discord/read/check.ts";
import type { Purpose } from "../../../adapters/discord/read/check-places.ts";
import { discordIsOff } from "../../../adapters/discord/discord.ts";
import { inviteUrl, spaced } from "../../../adapters/discord/listen/manifest.ts";
import { discordSettings } from "../../host/chat.ts";
import type { Config } from "../../host/settings/config.ts";
import { given } from "../../text/given.ts";
import { error, type Finding, judged, ok, warning } from "./finding.ts";
import {
  type Channels,
  lackFindings,
  operatorPlaces,
  placeFindings,
  reviewPlaces,
} from "./platform-findings.ts";

const MOST_SERVERS = 5;

export async function* discordFindings(config: Config): AsyncGenerator<Finding> {
  const off = discordIsOff(discordSettings(config));
  const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl } = config;
  if (token === undefined) {
    yield ok("discord", "off (DISCORD_TOKEN is not set)");
    return;
  }
  if (off !== null) yield error("discord", `off: ${off}`, "See docs/discord.md.");
  const checked = await checkDiscord(given({ token, apiUrl }));
  switch (checked.kind) {
    case "usable":
      yield* usableFindings(config, checked);
      break;
    case "unusable":
      yield error("discord", checked.problem.message, checked.problem.remedy);
      break;
    case "unreached":
      yield error("discord", checked.why, "Check the network, and DISCORD_API_URL where it is set.");
  }
  yield* lackFindings("discord", config, "discord:manage-guild, discord:ID or discord:role:ID");
}

type Usable = Extract<Checked, { readonly kind: "usable" }>;

async function* usableFindings(config: Config, checked: Usable): AsyncGenerator<Finding> {
  const { servers, lacking, application, checks } = checked;
  try {
    yield ok(
      "discord",
      `${checked.name} may connect, in ${servers.length} servers; it has the intents it needs`,
    );
    if (servers.length === 0) {
      yield warning("discord servers", "the bot is in no server", `Invite it: ${inviteUrl(application)}`);
    }
    const home = config.PARLEY_DISCORD_GUILD ?? null;
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
        `Give them to the bot's role, or invite it again: ${inviteUrl(application)}`,
      );
    }
    const commands = await checks.commands(home);
    const remedy = "They are registered whenever Parley starts (npm start).";
    yield judged(commands.usable, "discord commands", commands.found, remedy);
    yield* placeFindings("discord", config, checks, channelsOf(config), "Let the bot see and use it");
  } finally {
    checked.close();
  }
}

const channelsOf = (config: Config): readonly Channels<Purpose>[] => [
  ["PARLEY_OPERATOR_CHANNEL", operatorPlaces(config, "discord"), "tell"],
  ["PARLEY_DISCORD_CHANNELS", config.PARLEY_DISCORD_CHANNELS ?? [], "work"],
  ["PARLEY_DISCORD_ANSWER", config.PARLEY_DISCORD_ANSWER, "answer"],
  ["/parley review", reviewPlaces(config.PARLEY_DATA, "discord"), "tell"],
];
