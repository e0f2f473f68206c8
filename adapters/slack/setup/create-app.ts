/** Creates an app by a link with its manifest, or by a configuration token. A second run finds the app of the first. */

import type { SetupContext } from "../../../src/ports/platform-setup.ts";
import { slackManifest } from "../receive/manifest.ts";
import { appPage, type SlackCheck, type SlackReach } from "./checks.ts";
import { type ConfigurationTokens, keepApp, keptApp, openConfiguration } from "./configuration.ts";
import { pastedTokens } from "./tokens.ts";

/** Slack's page for new apps, with the manifest filled in. */
export const slackCreationLink = (): string =>
  `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(slackManifest(null)))}`;

/** Explains how to create an app and its tokens. Refused if a configuration token does not lead to an app. */
export const offerSlackApp = async (
  context: SetupContext,
  tokens: ConfigurationTokens,
  reach: SlackReach,
): Promise<SlackCheck<null>> => {
  if (tokens.token !== null || tokens.refresh !== null) return createSlackApp(context, tokens, reach);
  const { asker } = context;
  const { app } = keptApp(context);
  if (app !== null) {
    printInstallation(context, app, appPage(app, "install-on-team"));
    asker.print("If that app is gone, create another one:");
  }
  asker.print("1. Open this link, choose the workspace, and click Create and Install:");
  asker.print(slackCreationLink());
  asker.print(
    "2. Copy both tokens that Slack shows: the bot token (xoxb-…) and the app-level token (xapp-…).",
  );
  asker.print("   If an admin has to approve the app first, answer wait.");
  return { kind: "good", value: null };
};

const createSlackApp = async (
  context: SetupContext,
  tokens: ConfigurationTokens,
  reach: SlackReach,
): Promise<SlackCheck<null>> => {
  const { asker } = context;
  const { app: known } = keptApp(context);
  const opened = await openConfiguration(context, tokens, known, reach);
  if (opened.kind === "refused") return opened;
  if (known !== null) {
    const exported = await opened.value.export(known);
    if (exported.kind === "refused" && exported.code !== "invalid_app_id") return exported;
    if (exported.kind === "good") {
      printInstallation(context, known, appPage(known, "install-on-team"));
      return { kind: "good", value: null };
    }
  }
  const manifest = slackManifest(null);
  const validated = await opened.value.validate(manifest, null);
  if (validated.kind === "refused") return validated;
  const created = await opened.value.create(manifest);
  if (created.kind === "refused") return created;
  const { app, install } = created.value;
  const isKept = await keepApp(context, { app, refresh: keptApp(context).refresh });
  if (!isKept) asker.print(`Note the app's id, ${app}: it could not be stored for later updates.`);
  asker.print(`Slack created the app ${app}.`);
  printInstallation(context, app, install);
  return { kind: "good", value: null };
};

/** Tokens of the flags and the environment. Either variable may contain either token. */
export const configurationTokensOf = (context: SetupContext): ConfigurationTokens => {
  const text = ["SLACK_CONFIG_TOKEN", "SLACK_CONFIG_REFRESH_TOKEN"].map(
    (name) => context.setting(name) ?? "",
  );
  const { configuration, refresh } = pastedTokens(text.join(" "));
  return { token: configuration, refresh };
};

const printInstallation = ({ asker }: SetupContext, app: string, install: string): void => {
  asker.print(`1. Install the app ${app}, and copy the bot token (xoxb-…):`);
  asker.print(install);
  asker.print(
    "2. Generate an app-level token (xapp-…) with the scope connections:write, under App-Level Tokens:",
  );
  asker.print(appPage(app, "general"));
};
