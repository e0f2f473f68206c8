/** What doctor asks of Slack: whether the tokens work, which scopes are missing, and whether the ids of the settings serve. */

import { type Checks, createChecks } from "../../../adapters/slack/read/check.ts";
import { type Identified, identify } from "../../../adapters/slack/listen/identify.ts";
import { EVENTS, missingScopes, SCOPES } from "../../../adapters/slack/listen/manifest.ts";
import { slackIsOff } from "../../../adapters/slack/slack.ts";
import { createSlackClient } from "../../../adapters/slack/write/surface.ts";
import { tryAppToken } from "../../../adapters/slack/listen/try-app-token.ts";
import { slackSettings } from "../../host/chat.ts";
import type { Config } from "../../host/settings/config.ts";
import { channelOf } from "../../host/chat/operator-channel.ts";
import { approversOf } from "../../runtime/chat/commands/rights.ts";
import { approverFindings } from "./approver-findings.ts";
import { error, type Finding, ok, warning } from "./finding.ts";
import { reviewPlaces } from "./review-places.ts";

export async function* slackFindings(config: Config): AsyncGenerator<Finding> {
  const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken, SLACK_API_URL: apiUrl } = config;
  if (token === undefined) {
    yield ok("slack", "off (SLACK_BOT_TOKEN is not set)");
    return;
  }
  const off = slackIsOff(slackSettings(config));
  if (off !== null) yield error("slack", `off: ${off}`, "See docs/slack.md.");
  const client = createSlackClient(token, apiUrl === undefined ? {} : { apiUrl });
  const identified = await identify(client);
  yield* botFindings(identified);
  if (appToken !== undefined) yield await appFinding(appToken, apiUrl);
  if (identified.kind === "identity") {
    yield eventsFinding;
    const checks = createChecks(client, identified.self.team);
    yield* channelFindings(config, checks);
    yield* approverFindings("slack", config, checks);
  }
  if (config.PARLEY_REPOS.length === 0) {
    yield warning(
      "slack repositories",
      "PARLEY_REPOS is empty, so no channel can be given a repository",
      "Set PARLEY_REPOS, for instance to your-org/*.",
    );
  }
  if (approversOf("slack", config.PARLEY_APPROVERS).length === 0) {
    yield warning(
      "slack approvers",
      "PARLEY_APPROVERS names nobody on Slack, so nobody there can approve",
      "Add slack:admins, slack:U… or slack:group:S… to it.",
    );
  }
}

function* botFindings(identified: Identified): Generator<Finding> {
  if (identified.kind === "refused") {
    yield error("slack bot token", identified.why, identified.remedy);
    return;
  }
  if (identified.kind === "passing") {
    yield error(
      "slack bot token",
      `Slack does not answer: ${identified.why}`,
      "Try again; check SLACK_API_URL and the network.",
    );
    return;
  }
  yield ok("slack bot token", `@${identified.self.name} in workspace ${identified.self.team}`);
  const missing = missingScopes(identified.scopes);
  yield missing.length === 0
    ? ok("slack scopes", "all that the manifest lists")
    : error(
        "slack scopes",
        `missing: ${missing.map((scope) => `${scope} (${SCOPES[scope]})`).join(", ")}`,
        "Add them under OAuth & Permissions (or paste `npm run manifest -- slack` into App Manifest) and install the app again.",
      );
}

/** No method of Slack's tells a bot which events its app subscribes to. */
const eventsFinding = ok(
  "slack events",
  `cannot be read with these tokens: compare Event Subscriptions in the app's settings with ${EVENTS.join(", ")}`,
);

async function* channelFindings(config: Config, checks: Checks): AsyncGenerator<Finding> {
  const [surface, operators] = channelOf(config);
  const named: readonly (readonly [string, string | null | undefined])[] = [
    ["PARLEY_APPROVALS_CHANNEL", config.PARLEY_APPROVALS_CHANNEL],
    ["PARLEY_OPERATOR_CHANNEL", surface === "slack" ? operators : null],
    ...(config.PARLEY_SLACK_CHANNELS ?? []).map((id) => ["PARLEY_SLACK_CHANNELS", id] as const),
    ...reviewPlaces(config, "slack").map((id) => ["/parley review", id] as const),
  ];
  for (const [setting, id] of named) {
    if (id === null || id === undefined) continue;
    const { usable, found } = await checks.channel(id);
    yield usable
      ? ok("slack channels", `${setting}: ${found}`)
      : error(
          "slack channels",
          `${setting}: ${found}`,
          "Invite the bot there (/invite @parley), or correct the id.",
        );
  }
}

const appFinding = async (appToken: string, apiUrl: string | undefined): Promise<Finding> => {
  const tried = await tryAppToken(appToken, apiUrl);
  if (tried === null) return ok("slack app token", "Socket Mode can be opened");
  return tried.kind === "refused"
    ? error("slack app token", tried.why, tried.remedy)
    : error("slack app token", `Slack does not answer: ${tried.why}`, "Try again in a moment.");
};
