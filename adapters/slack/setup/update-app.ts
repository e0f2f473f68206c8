/** `parley setup slack --update`: shows what the manifest of an existing app would change, and changes it. */

import type { CheckedInput, PlatformSetup, SetupContext } from "../../../src/ports/platform-setup.ts";
import { APPS, appOfBotToken, appPage, type SlackCheck, type SlackReach } from "./checks.ts";
import { type ConfigurationCalls, keptApp, openConfiguration } from "./configuration.ts";
import { configurationTokensOf } from "./create-app.ts";
import { type Manifest, manifestDiff, mergedManifest, movesToAgent } from "./merged-manifest.ts";
import { pastedTokens } from "./tokens.ts";

export const updateSlackApp = async (context: SetupContext, reach: SlackReach): ReturnType<PlatformSetup> => {
  const app = keptApp(context).app ?? (await appOfSettings(context, reach));
  if (app === null) {
    return {
      kind: "stopped",
      why: "The app to update is unknown: run `parley setup slack` first, so that SLACK_BOT_TOKEN names it",
    };
  }
  const opened = await openKeptOrPasted(context, app, reach);
  if (opened.kind === "refused") return { kind: "stopped", why: opened.why };
  const calls = opened.value;
  const exported = await calls.export(app);
  if (exported.kind === "refused") return { kind: "stopped", why: exported.why };
  const next = mergedManifest(exported.value);
  const validated = await calls.validate(next, app);
  if (validated.kind === "refused") return { kind: "stopped", why: validated.why };
  const difference = manifestDiff(exported.value, next);
  if (difference.length === 0)
    return { kind: "done", text: `The app ${app} has the manifest of this version.` };
  printDifference(context, app, difference, movesToAgent(exported.value, next));
  if (!(await isConfirmed(context))) return { kind: "stopped", why: UNCONFIRMED };
  return applied(calls, app, next);
};

const UNCONFIRMED = "Nothing was changed: answer yes, or add --yes to the command, to update the app";

const applied = async (calls: ConfigurationCalls, app: string, next: Manifest): ReturnType<PlatformSetup> => {
  const updated = await calls.update(app, next);
  if (updated.kind === "refused") return { kind: "stopped", why: updated.why };
  const text = updated.value
    ? `The app ${app} is updated. Its permissions changed: reinstall it at ${appPage(app, "install-on-team")} in a new browser tab, then run \`parley doctor\`.`
    : `The app ${app} is updated.`;
  return { kind: "done", text };
};

const printDifference = (
  { asker }: SetupContext,
  app: string,
  difference: readonly string[],
  isAgent: boolean,
): void => {
  asker.print(`The app ${app} would change:`);
  for (const line of difference) asker.print(`  ${line}`);
  if (isAgent)
    asker.print("The app moves from the assistant panel to agent messaging. Slack cannot undo this.");
};

const isConfirmed = async ({ asker, options }: SetupContext): Promise<boolean> => {
  if (options.yes) return true;
  if (!asker.isInteractive) return false;
  return asker.ask({
    name: "SLACK_APP_UPDATE",
    text: "Update the app? (yes or no)",
    fallback: "no",
    check: checkYes,
  });
};

const checkYes = (answer: string): Promise<CheckedInput<boolean>> =>
  Promise.resolve({ kind: "valid", value: /^y(es)?$/i.test(answer.trim()) });

/** Tries the command's tokens, then the stored refresh token, then asks for tokens. */
const openKeptOrPasted = async (
  context: SetupContext,
  app: string,
  reach: SlackReach,
): Promise<SlackCheck<ConfigurationCalls>> => {
  const given = configurationTokensOf(context);
  if (given.token !== null || given.refresh !== null) return openConfiguration(context, given, app, reach);
  const { refresh } = keptApp(context);
  if (refresh !== null) {
    const opened = await openConfiguration(context, { token: null, refresh }, app, reach);
    if (opened.kind === "good" || !context.asker.isInteractive) return opened;
    context.asker.print(`${opened.why}.`);
  }
  const check = async (answer: string): Promise<CheckedInput<ConfigurationCalls>> => {
    const pasted = pastedTokens(answer);
    const tokens = { token: pasted.configuration, refresh: pasted.refresh };
    const opened = await openConfiguration(context, tokens, app, reach);
    return opened.kind === "good" ? { kind: "valid", value: opened.value } : opened;
  };
  const value = await context.asker.ask({
    name: "SLACK_CONFIG_TOKEN",
    text: `App configuration token and its refresh token, in one line (${APPS}, Generate Token)`,
    secret: true,
    check,
  });
  return { kind: "good", value };
};

const appOfSettings = async (context: SetupContext, reach: SlackReach): Promise<string | null> => {
  const token = context.setting("SLACK_BOT_TOKEN");
  return token === null ? null : appOfBotToken(token, reach);
};
