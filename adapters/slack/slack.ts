/**
 * Entry of the Slack adapter: its settings, doctor's checks, the manifest and the adapter, each loaded on
 * demand.
 */

import { z } from "zod";
import { definePlatform } from "../../src/platform.ts";
import type { HostVariables, PlatformManifest, PlatformState } from "../../src/ports/platform-entry.ts";
import { countSetting, listSetting, oneOf } from "../../src/settings/kinds.ts";
import { secretAddress, secret } from "../../src/settings/secrets.ts";
import type { SlackSettings } from "./adapter.ts";
import { SLACK_FORMS } from "./forms.ts";
import type { ConnectionMode } from "./receive/connect.ts";

const channel = /^[CGD][A-Z0-9]+$/;
const channelId = z.string().regex(channel, "must be a channel id (C…), not a name");

const settings = z.object({
  SLACK_BOT_TOKEN: secret.startsWith("xoxb-", "must begin with xoxb-").optional(),
  SLACK_APP_TOKEN: secret.startsWith("xapp-", "must begin with xapp-").optional(),
  SLACK_SIGNING_SECRET: secret.optional(),
  SLACK_API_URL: secretAddress.optional(),
  PARLEY_APPROVALS_CHANNEL: channelId.optional(),
  PARLEY_SLACK_CHANNELS: listSetting.pipe(z.array(channelId)).optional(),
  PARLEY_SLACK_STREAMS: oneOf("all", "direct", "off").default("all"),
  PARLEY_SLACK_PORT: countSetting(0, 65_535).default(3000),
});

type SlackVariables = z.infer<typeof settings>;

const configure = (variables: SlackVariables, host: HostVariables): PlatformState => {
  const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken } = variables;
  if (token === undefined) return { kind: "unset", why: "SLACK_BOT_TOKEN is not set" };
  const used = settingsOf(variables, token, host);
  const mode = modeOf(variables, host);
  const checks = {
    port:
      appToken === undefined
        ? { what: "slack port", port: variables.PARLEY_SLACK_PORT, setting: "PARLEY_SLACK_PORT" }
        : null,
    findings: async function* (shared) {
      const { slackFindings } = await import("./findings.ts");
      yield* slackFindings({ ...used, appToken }, shared);
    },
  } satisfies Partial<PlatformState>;
  if (mode === null) {
    const why = "set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP mode)";
    return { kind: "incomplete", why, ...checks };
  }
  return {
    kind: "ready",
    load,
    open: async (ports) => (await load()).createSlackAdapter({ ...used, mode }, ports),
    ...checks,
  };
};

const load = () => import("./adapter.ts");

const settingsOf = (
  variables: SlackVariables,
  token: string,
  host: HostVariables,
): Omit<SlackSettings, "mode"> => ({
  token,
  apiUrl: variables.SLACK_API_URL,
  isProxied: (host.HTTPS_PROXY ?? host.HTTP_PROXY) !== undefined,
  channels: variables.PARLEY_SLACK_CHANNELS ?? null,
  streams: variables.PARLEY_SLACK_STREAMS,
  approvalsChannel: variables.PARLEY_APPROVALS_CHANNEL,
});

const modeOf = (variables: SlackVariables, { PARLEY_HOST: host }: HostVariables): ConnectionMode | null => {
  const {
    SLACK_APP_TOKEN: appToken,
    SLACK_SIGNING_SECRET: signingSecret,
    PARLEY_SLACK_PORT: port,
  } = variables;
  if (appToken !== undefined) return { kind: "socket", appToken };
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

export const slack = definePlatform({
  name: "slack",
  title: "Slack",
  apiHost: "slack.com",
  token: "SLACK_BOT_TOKEN",
  approverForms: "slack:admins, slack:U… or slack:group:S…",
  forms: SLACK_FORMS,
  ids: {
    approver: /^(U\w+|W\w+|group:S\w+|admins|members)$/,
    approverExample: "U…",
    owner: /^([UW][A-Z0-9]+|group:S[A-Z0-9]+)$/,
    ownerForms: [
      ["", "U…"],
      ["group:", "S…"],
    ],
    channel,
  },
  manifest,
  tokens: /^x(?:oxb|app|oxe|oxp)[.-]/,
  setup: async () => (await import("./setup.ts")).slackSetup,
  settings,
  configure,
});
