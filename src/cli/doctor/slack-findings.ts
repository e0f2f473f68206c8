/** What doctor asks of Slack: whether the tokens work, which scopes are missing, and whether the ids of the settings serve. */

import { createChecks } from "../../../adapters/slack/read/check.ts";
import { type Identified, identify } from "../../../adapters/slack/listen/identify.ts";
import { EVENTS, missingScopes, SCOPES } from "../../../adapters/slack/listen/manifest.ts";
import { slackIsOff } from "../../../adapters/slack/slack.ts";
import { createSlackClient } from "../../../adapters/slack/write/surface.ts";
import type { TokenTrouble } from "../../../adapters/slack/listen/token-trouble.ts";
import { tryAppToken } from "../../../adapters/slack/listen/try-app-token.ts";
import { slackSettings } from "../../host/chat.ts";
import type { Config } from "../../host/settings/config.ts";
import { given } from "../../text/given.ts";
import { error, type Finding, ok } from "./finding.ts";
import {
  type Channels,
  lackFindings,
  operatorPlaces,
  placeFindings,
  reviewPlaces,
} from "./platform-findings.ts";

export async function* slackFindings(config: Config): AsyncGenerator<Finding> {
  const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken, SLACK_API_URL: apiUrl } = config;
  if (token === undefined) {
    yield ok("slack", "off (SLACK_BOT_TOKEN is not set)");
    return;
  }
  const off = slackIsOff(slackSettings(config));
  if (off !== null) yield error("slack", `off: ${off}`, "See docs/slack.md.");
  const client = createSlackClient(token, given({ apiUrl }));
  const identified = await identify(client);
  yield* botFindings(identified);
  if (appToken !== undefined) yield await appFinding(appToken, apiUrl);
  if (identified.kind === "identity") {
    yield eventsFinding;
    const checks = createChecks(client, identified.self);
    yield* placeFindings(
      "slack",
      config,
      checks,
      channelsOf(config),
      "Invite the bot there (/invite @parley)",
    );
  }
  yield* lackFindings("slack", config, "slack:admins, slack:U… or slack:group:S…");
}

function* botFindings(identified: Identified): Generator<Finding> {
  if (identified.kind !== "identity") {
    const hint = "Try again; check SLACK_API_URL and the network.";
    yield troubleFinding("slack bot token", identified, hint);
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

const channelsOf = (config: Config): readonly Channels<null>[] => [
  ["PARLEY_APPROVALS_CHANNEL", [config.PARLEY_APPROVALS_CHANNEL], null],
  ["PARLEY_OPERATOR_CHANNEL", operatorPlaces(config, "slack"), null],
  ["PARLEY_SLACK_CHANNELS", config.PARLEY_SLACK_CHANNELS ?? [], null],
  ["/parley review", reviewPlaces(config.PARLEY_DATA, "slack"), null],
];

const appFinding = async (appToken: string, apiUrl: string | undefined): Promise<Finding> => {
  const trouble = await tryAppToken(appToken, apiUrl);
  return trouble === null
    ? ok("slack app token", "Socket Mode can be opened")
    : troubleFinding("slack app token", trouble, "Try again in a moment.");
};

const troubleFinding = (what: string, trouble: TokenTrouble, hint: string): Finding =>
  trouble.kind === "refused"
    ? error(what, trouble.why, trouble.remedy)
    : error(what, `Slack does not answer: ${trouble.why}`, hint);
