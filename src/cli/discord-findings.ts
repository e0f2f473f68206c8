/** What doctor asks of Discord: whether the token works, what is not switched on, and whether anybody may approve. */

import { checkDiscord } from "../../adapters/discord/check.ts";
import { inviteUrl, spaced } from "../../adapters/discord/manifest.ts";
import type { Config } from "../config.ts";
import { discordIsOff } from "../discord.ts";
import { approversOf } from "../runtime/chat/rights.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

const MOST_SERVERS = 5;

export async function* discordFindings(config: Config): AsyncGenerator<Finding> {
  const off = discordIsOff(config);
  const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl } = config;
  if (token === undefined) {
    yield ok("discord", "off (DISCORD_TOKEN is not set)");
    return;
  }
  if (off !== null) yield error("discord", `off: ${off}`, "See docs/discord.md.");
  const checked = await checkDiscord({ token, ...(apiUrl === undefined ? {} : { apiUrl }) });
  switch (checked.kind) {
    case "usable": {
      yield ok("discord", `${checked.name} may connect, in ${checked.servers} servers`);
      if (checked.servers === 0) {
        yield warning(
          "discord servers",
          "the bot is in no server",
          `Invite it: ${inviteUrl(checked.application)}`,
        );
      }
      for (const { server, permissions } of checked.lacking.slice(0, MOST_SERVERS)) {
        yield warning(
          "discord permissions",
          `${server}: missing ${permissions.map(spaced).join(", ")}`,
          `Give them to the bot's role, or invite it again: ${inviteUrl(checked.application)}`,
        );
      }
      break;
    }
    case "unusable":
      yield error("discord", checked.problem.message, checked.problem.remedy);
      break;
    case "unreached":
      yield error("discord", checked.why, "Check the network, and DISCORD_API_URL where it is set.");
  }
  if (config.PARLEY_REPOS.length === 0) {
    yield warning(
      "discord repositories",
      "PARLEY_REPOS is empty, so no channel can be given a repository",
      "Set PARLEY_REPOS, for instance to your-org/*.",
    );
  }
  if (approversOf("discord", config.PARLEY_APPROVERS).length === 0) {
    yield warning(
      "discord approvers",
      "PARLEY_APPROVERS names nobody on Discord, so nobody there can approve",
      "Add discord:manage-guild, discord:ID or discord:role:ID to it.",
    );
  }
}
