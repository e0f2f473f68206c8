/** Creates the app by a configuration token, if there is one. Runs once: a second run finds the app that it kept. */

import type { SetupContext } from "../../../src/ports/platform-setup.ts";
import { slackManifest } from "../receive/manifest.ts";
import { appPage, type SlackReach } from "./checks.ts";
import { type ConfigurationTokens, keepApp, keptApp, openConfiguration } from "./configuration.ts";
import { pastedTokens } from "./tokens.ts";

export type CreationResult =
  /** There is no configuration token. */
  | { readonly kind: "none" }
  | { readonly kind: "created"; readonly app: string }
  | { readonly kind: "refused"; readonly why: string };

export const createSlackApp = async (
  context: SetupContext,
  tokens: ConfigurationTokens,
  reach: SlackReach,
): Promise<CreationResult> => {
  const { asker } = context;
  if (tokens.token === null && tokens.refresh === null) return { kind: "none" };
  const { app: known } = keptApp(context);
  if (known !== null) {
    printInstallation(context, known, appPage(known, "install-on-team"));
    return { kind: "created", app: known };
  }
  const opened = await openConfiguration(context, tokens, null, reach);
  if (opened.kind === "refused") return opened;
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
  return { kind: "created", app };
};

/** Tokens of the flags and the environment. One of them may stand in the place of the other. */
export const configurationTokensOf = (context: SetupContext): ConfigurationTokens => {
  const text = ["SLACK_CONFIG_TOKEN", "SLACK_CONFIG_REFRESH_TOKEN"].map(
    (name) => context.setting(name) ?? "",
  );
  const { configuration, refresh } = pastedTokens(text.join(" "));
  return { token: configuration, refresh };
};

const printInstallation = ({ asker }: SetupContext, app: string, install: string): void => {
  asker.print("1. Install it, and copy the bot token (xoxb-…):");
  asker.print(install);
  asker.print(
    "2. Generate an app-level token (xapp-…) with the scope connections:write, under App-Level Tokens:",
  );
  asker.print(appPage(app, "general"));
};
