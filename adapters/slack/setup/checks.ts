/** Checks of Slack's tokens against the real service. A refusal is one sentence with the next step. */

import type { webApi } from "@slack/bolt";
import * as z from "zod";
import { createSlackClient } from "../api/client.ts";
import { tokenRefusalOf, type TokenTrouble } from "../api/token-trouble.ts";
import type { SlackIdentity } from "../read/identity.ts";
import { identify } from "../receive/identify.ts";
import { missingScopes } from "../receive/manifest.ts";
import { appOfToken } from "./tokens.ts";

/** Address for requests, and the time limit of a request. */
export interface SlackReach {
  readonly apiUrl?: string;
  readonly timeout: number;
}

export interface BotFacts {
  readonly self: SlackIdentity;
  /** Null if the bot may not read it. */
  readonly app: string | null;
}

export type SlackCheck<T> =
  | { readonly kind: "good"; readonly value: T }
  /** `code`: Slack's error code, for methods of the configuration token. */
  | { readonly kind: "refused"; readonly why: string; readonly code?: string };

export const APPS = "https://api.slack.com/apps";

/** Address of a page of the app's settings. While the id is unknown, the address of the list of apps. */
export const appPage = (app: string | null, page: string): string =>
  app === null ? APPS : `${APPS}/${app}/${page}`;

export const checkBotToken = async (token: string, reach: SlackReach): Promise<SlackCheck<BotFacts>> => {
  const client = createSlackClient(token, reach);
  const identified = await identify(client);
  if (identified.kind !== "identity") {
    return { kind: "refused", why: troubleText(identified) };
  }
  const { self, scopes } = identified;
  const app = await appOf(client, self.bot);
  const missing = missingScopes(scopes);
  if (missing.length === 0) return { kind: "good", value: { self, app } };
  return {
    kind: "refused",
    why: `The app has fewer permissions than its manifest asks for (missing: ${missing.join(", ")}): reinstall it at ${appPage(app, "install-on-team")} in a new browser tab, and paste the bot token again`,
  };
};

/** Returns the app of a bot token, whatever the token's scopes; null if Slack does not report the app. */
export const appOfBotToken = async (token: string, reach: SlackReach): Promise<string | null> => {
  const client = createSlackClient(token, reach);
  const identified = await identify(client);
  return identified.kind === "identity" ? appOf(client, identified.self.bot) : null;
};

/** `app`: id of the bot token's app; null if unknown. */
export const checkAppToken = async (
  token: string,
  app: string | null,
  reach: SlackReach,
): Promise<SlackCheck<null>> => {
  const own = appOfToken(token);
  if (own !== null && app !== null && own !== app) {
    return {
      kind: "refused",
      why: `This app-level token belongs to another app (${own}, the bot token to ${app}): copy it from ${appPage(app, "general")}, App-Level Tokens`,
    };
  }
  try {
    await createSlackClient(token, reach).apps.connections.open();
    return { kind: "good", value: null };
  } catch (error) {
    return { kind: "refused", why: appTokenText(error, app ?? own) };
  }
};

const appTokenText = (error: unknown, app: string | null): string => {
  const trouble = tokenRefusalOf(error);
  if (trouble.why.startsWith("link_disabled")) {
    return `Socket Mode is off: switch it on at ${appPage(app, "socket-mode")}, and paste the app-level token again`;
  }
  if (trouble.why.startsWith("missing_scope")) {
    return `The app-level token lacks the scope connections:write: generate another one with it at ${appPage(app, "general")}, App-Level Tokens`;
  }
  return troubleText(trouble);
};

/** Returns one sentence without its final period: the remedy and Slack's response. */
export const troubleText = (trouble: TokenTrouble): string => {
  if (trouble.kind === "refused")
    return `${trouble.remedy.replace(/\.$/, "")} (Slack answers ${trouble.why})`;
  return trouble.retryAfter > 0
    ? `Slack limits the rate of requests: try again in ${Math.ceil(trouble.retryAfter / 1_000)} seconds`
    : `Slack gives no usable answer (${trouble.why}): check the network, HTTPS_PROXY and SLACK_API_URL, and try again`;
};

/** The app's id; null if the bot may not read it. */
const appOf = async (client: webApi.WebClient, bot: string): Promise<string | null> => {
  try {
    return botAnswer.parse(await client.bots.info({ bot })).bot.app_id;
  } catch {
    return null;
  }
};

const botAnswer = z.object({ bot: z.object({ app_id: z.string() }) });
