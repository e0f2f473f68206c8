/** The door of the Slack adapter: its settings, doctor's checks, the manifest and the adapter, each loaded when it is asked for. */

import type { PlatformEntry, PlatformManifest, PlatformState } from "../../src/ports/platform-entry.ts";
import type { SlackSettings } from "./adapter.ts";
import type { ConnectionMode } from "./receive/connect.ts";

/** The settings that decide about Slack. */
interface SlackVariables {
  readonly SLACK_BOT_TOKEN?: string | undefined;
  readonly SLACK_APP_TOKEN?: string | undefined;
  readonly SLACK_SIGNING_SECRET?: string | undefined;
  readonly SLACK_API_URL?: string | undefined;
  readonly PARLEY_HOST: string;
  readonly PARLEY_SLACK_PORT: number;
  readonly PARLEY_SLACK_CHANNELS?: readonly string[] | undefined;
  readonly PARLEY_SLACK_STREAMS: SlackSettings["streams"];
  readonly PARLEY_APPROVALS_CHANNEL?: string | undefined;
  readonly HTTPS_PROXY?: string | undefined;
  readonly HTTP_PROXY?: string | undefined;
}

const configure = (variables: SlackVariables): PlatformState => {
  const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken } = variables;
  if (token === undefined) return { kind: "unset", why: "SLACK_BOT_TOKEN is not set" };
  const settings = settingsOf(variables, token);
  const mode = modeOf(variables);
  const checks = {
    port:
      appToken === undefined
        ? { what: "slack port", port: variables.PARLEY_SLACK_PORT, setting: "PARLEY_SLACK_PORT" }
        : null,
    findings: async function* (shared) {
      const { slackFindings } = await import("./findings.ts");
      yield* slackFindings({ ...settings, appToken }, shared);
    },
  } satisfies Partial<PlatformState>;
  if (mode === null) {
    const why = "set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP mode)";
    return { kind: "incomplete", why, ...checks };
  }
  return {
    kind: "ready",
    load,
    open: async (ports) => (await load()).createSlackAdapter({ ...settings, mode }, ports),
    ...checks,
  };
};

const load = () => import("./adapter.ts");

const settingsOf = (variables: SlackVariables, token: string): Omit<SlackSettings, "mode"> => ({
  token,
  apiUrl: variables.SLACK_API_URL,
  isProxied: (variables.HTTPS_PROXY ?? variables.HTTP_PROXY) !== undefined,
  channels: variables.PARLEY_SLACK_CHANNELS ?? null,
  streams: variables.PARLEY_SLACK_STREAMS,
  approvalsChannel: variables.PARLEY_APPROVALS_CHANNEL,
});

const modeOf = (variables: SlackVariables): ConnectionMode | null => {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = variables;
  if (appToken !== undefined) return { kind: "socket", appToken };
  const { PARLEY_HOST: host, PARLEY_SLACK_PORT: port } = variables;
  return signingSecret === undefined ? null : { kind: "http", signingSecret, host, port };
};

const manifest: PlatformManifest = {
  help: ["[--http URL]", "print the app's manifest, ready to paste"],
  usage: [
    ["", "for Socket Mode (recommended)"],
    ["--http https://HOST", "for HTTP mode, behind your proxy with TLS"],
  ],
  text: async ([option, host, ...more]) => {
    const isSocket = option === undefined;
    const isHttp =
      option === "--http" && host !== undefined && URL.canParse(host) && host.startsWith("https://");
    if ((!isSocket && !isHttp) || more.length > 0) return null;
    const [{ HTTP_PATH }, { slackManifest }] = await Promise.all([
      import("./receive/http-path.ts"),
      import("./receive/manifest.ts"),
    ]);
    return JSON.stringify(slackManifest(isHttp ? new URL(HTTP_PATH, host).href : null), null, 2);
  },
};

export const slack: PlatformEntry<SlackVariables> = {
  name: "slack",
  title: "Slack",
  apiHost: "slack.com",
  approverForms: "slack:admins, slack:U… or slack:group:S…",
  manifest,
  configure,
};
