/** What doctor asks of Slack: whether the tokens work, which scopes are missing, and whether anybody may approve. */

import { createSlackClient } from "../../adapters/slack/surface.ts";
import { identify } from "../../adapters/slack/identify.ts";
import { missingScopes, SCOPES } from "../../adapters/slack/manifest.ts";
import { tryAppToken } from "../../adapters/slack/try-app-token.ts";
import type { Config } from "../config.ts";
import { approversOf } from "../runtime/chat/rights.ts";
import { slackIsOff } from "../slack.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

export async function* slackFindings(config: Config): AsyncGenerator<Finding> {
  const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken, SLACK_API_URL: apiUrl } = config;
  if (token === undefined) {
    yield ok("slack", "off (SLACK_BOT_TOKEN is not set)");
    return;
  }
  const off = slackIsOff(config);
  if (off !== null) yield error("slack", `off: ${off}`, "See docs/slack.md.");
  yield* botFindings(token, apiUrl);
  if (appToken !== undefined) yield await appFinding(appToken, apiUrl);
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

async function* botFindings(token: string, apiUrl: string | undefined): AsyncGenerator<Finding> {
  const identified = await identify(createSlackClient(token, apiUrl === undefined ? {} : { apiUrl }));
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

const appFinding = async (appToken: string, apiUrl: string | undefined): Promise<Finding> => {
  const tried = await tryAppToken(appToken, apiUrl);
  if (tried === null) return ok("slack app token", "Socket Mode can be opened");
  return tried.kind === "refused"
    ? error("slack app token", tried.why, tried.remedy)
    : error("slack app token", `Slack does not answer: ${tried.why}`, "Try again in a moment.");
};
