/** Connects Slack for `parley setup`: a link that creates the app, the two tokens, and their checks. */

import type { CheckedInput, PlatformSetup, SetupContext } from "../../src/ports/platform-setup.ts";
import { appPage, type BotFacts, checkAppToken, checkBotToken, type SlackReach } from "./setup/checks.ts";
import { configurationTokensOf, offerSlackApp } from "./setup/create-app.ts";
import { pastedTokens } from "./setup/tokens.ts";
import { updateSlackApp } from "./setup/update-app.ts";

export const slackSetup: PlatformSetup = async (context) => {
  const apiUrl = context.setting("SLACK_API_URL");
  const reach = { timeout: context.limits.request, ...(apiUrl === null ? {} : { apiUrl }) };
  return context.options.update ? updateSlackApp(context, reach) : connect(context, reach);
};

/** Answer that ends the command until an admin has approved the app. */
const WAIT = "wait";

const connect = async (context: SetupContext, reach: SlackReach): ReturnType<PlatformSetup> => {
  const { asker } = context;
  const known = context.setting("SLACK_BOT_TOKEN");
  if (known === null) {
    const offered = await offerSlackApp(context, configurationTokensOf(context), reach);
    if (offered.kind === "refused") return { kind: "stopped", why: offered.why };
  }
  const bot = await askBot(context, reach);
  if (bot === null) return { kind: "stopped", why: WAITING };
  const { facts, token, appToken } = bot;
  const settings = { SLACK_BOT_TOKEN: token };
  const isHttp =
    context.setting("SLACK_SIGNING_SECRET") !== null && context.setting("SLACK_APP_TOKEN") === null;
  if (isHttp && appToken === null)
    asker.print("SLACK_SIGNING_SECRET is set: Slack sends events to your HTTPS address.");
  const app = isHttp && appToken === null ? null : await askApp(context, facts.app, appToken, reach);
  return {
    kind: "ready",
    result: {
      settings: app === null ? settings : { ...settings, SLACK_APP_TOKEN: app },
      approvers: "slack:admins",
      channels: () => Promise.resolve([]),
      firstQuestion: `In Slack: /invite @${facts.self.name} in a channel, then "@${facts.self.name} where is the configuration read?"`,
      findings: [],
    },
  };
};

const WAITING =
  "An admin of the workspace has to approve the app first: run the command again when Slack says that it is approved";

interface Bot {
  readonly token: string;
  readonly facts: BotFacts;
  /** Pasted together with the bot token; not checked yet. */
  readonly appToken: string | null;
}

/** Null if the app waits for an admin. */
const askBot = async (context: SetupContext, reach: SlackReach): Promise<Bot | null> => {
  const known = context.setting("SLACK_BOT_TOKEN");
  // An app-level token that was pasted first is kept for the second question.
  let early: string | null = null;
  const check = async (answer: string): Promise<CheckedInput<Bot | null>> => {
    if (answer.trim().toLowerCase() === WAIT) return { kind: "valid", value: null };
    const { bot, app, configuration, refresh, other } = pastedTokens(answer);
    early = app ?? early;
    if (bot === null) {
      if (app !== null) return { kind: "refused", why: APP_FOR_BOT };
      if (configuration !== null || refresh !== null) {
        if (!context.asker.isInteractive) return { kind: "refused", why: CONFIGURATION_FOR_BOT };
        const offered = await offerSlackApp(context, { token: configuration, refresh }, reach);
        return { kind: "refused", why: offered.kind === "refused" ? offered.why : INSTALL };
      }
      return { kind: "refused", why: other === null ? NO_BOT : `This is ${other}: ${lowerFirst(NO_BOT)}` };
    }
    const checked = await checkBotToken(bot, reach);
    if (checked.kind === "refused") return checked;
    const { self } = checked.value;
    return {
      kind: "valid",
      value: { token: bot, facts: checked.value, appToken: early },
      note: `The bot token works: @${self.name} in workspace ${self.team}.`,
    };
  };
  return context.asker.ask({
    name: "SLACK_BOT_TOKEN",
    text: "Bot token (xoxb-…), or both tokens in one line",
    secret: true,
    ...(known === null ? {} : { fallback: known }),
    check,
  });
};

const NO_BOT = "Paste the bot token (xoxb-…) from the app's page OAuth & Permissions";
const APP_FOR_BOT =
  "This is the app-level token (xapp-…): paste the bot token (xoxb-…) from the app's page OAuth & Permissions too";
const CONFIGURATION_FOR_BOT =
  "This is an app configuration token, which only creates and updates apps: give it as SLACK_CONFIG_TOKEN, and paste the bot token (xoxb-…) here";

const INSTALL =
  "Install the app by the links above, and paste the bot token (xoxb-…) and the app-level token (xapp-…)";

const askApp = async (
  context: SetupContext,
  app: string | null,
  pasted: string | null,
  reach: SlackReach,
): Promise<string> => {
  const check = async (answer: string): Promise<CheckedInput<string>> => {
    const { app: token, bot, other } = pastedTokens(answer);
    if (token === null) {
      const kind = bot === null ? (other ?? "no token") : "the bot token (xoxb-…)";
      return {
        kind: "refused",
        why: `This is ${kind}: paste the app-level token (xapp-…) from ${appPage(app, "general")}, App-Level Tokens`,
      };
    }
    const checked = await checkAppToken(token, app, reach);
    return checked.kind === "refused"
      ? checked
      : { kind: "valid", value: token, note: "The app-level token works: Socket Mode can be opened." };
  };
  if (pasted !== null) {
    const checked = await check(pasted);
    if (checked.kind === "valid") {
      context.asker.print(checked.note ?? "");
      return checked.value;
    }
    context.asker.print(`${checked.why}.`);
  }
  const known = context.setting("SLACK_APP_TOKEN");
  return context.asker.ask({
    name: "SLACK_APP_TOKEN",
    text: "App-level token (xapp-…)",
    secret: true,
    ...(known === null ? {} : { fallback: known }),
    check,
  });
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
