/** The door of the Slack adapter: whether it is on, and the adapter. The SDK is loaded where it is on. */

import type { ChatAdapter, Opened } from "../../src/ports/connection.ts";
import type { SlackPorts, SlackSettings } from "./adapter.ts";
import type { Mode } from "./listen/connect.ts";

export const createSlack = async (
  settings: SlackSettings,
  ports: SlackPorts,
): Promise<Opened<ChatAdapter>> => {
  const { token } = settings;
  const mode = modeOf(settings);
  const why = slackIsOff(settings);
  if (why !== null || token === undefined || mode === null) return { kind: "off", why: why ?? "" };
  const { createSlackAdapter } = await import("./adapter.ts");
  return { kind: "open", adapter: createSlackAdapter({ ...settings, token, mode }, ports) };
};

/** Why it is off, as far as the settings tell; null where it can be tried. */
export const slackIsOff = (settings: SlackSettings): string | null => {
  if (settings.token === undefined) return "SLACK_BOT_TOKEN is not set";
  if (modeOf(settings) === null)
    return "set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP mode)";
  return settings.noModel;
};

const modeOf = ({ appToken, signingSecret, host, port }: SlackSettings): Mode | null => {
  if (appToken !== undefined) return { kind: "socket", appToken };
  return signingSecret === undefined ? null : { kind: "http", signingSecret, host, port };
};
