/** The chat platforms of this host, each over its adapter's door. */

import { createDiscord } from "../../adapters/discord/discord.ts";
import { createSlack } from "../../adapters/slack/slack.ts";
import { offSurface } from "./chat/off-surface.ts";
import type { Config } from "./settings/config.ts";
import { randomId } from "./random-id.ts";
import type { ConnectionDeps } from "../runtime/chat/connection.ts";
import { createRepos } from "../runtime/chat/commands/repos.ts";
import { approversOf } from "../runtime/chat/commands/rights.ts";
import type { Notes } from "../ports/alerts.ts";
import type { ChatAdapter, ChatSurface, Opened, Take } from "../ports/connection.ts";
import type { Limits } from "../ports/surface.ts";
import type { Modes } from "../ports/tools.ts";

type HostDeps = Omit<ConnectionDeps, "commands">;

export interface ChatParts extends Omit<HostDeps, keyof ReturnType<typeof settingsOf>> {
  readonly modes: Modes;
  readonly alerts: Notes;
  /** What the platform of that name sends, taken by the host that leads. */
  readonly taking: (surface: string, own: Take) => Take;
  /** Otherwise than each platform has them. */
  readonly limits?: Partial<Limits>;
}

export const openChat = async (config: Config, parts: ChatParts): Promise<readonly ChatSurface[]> => {
  const deps = connectionDeps(config, parts);
  const portsFor = (name: string) => ({
    ...parts,
    approvers: approversOf(name, config.PARLEY_APPROVERS),
    notes: parts.alerts,
    taking: (own: Take) => parts.taking(name, own),
  });
  return [
    await connect("slack", await createSlack(slackSettings(config), portsFor("slack")), deps),
    await connect("discord", await createDiscord(discordSettings(config), portsFor("discord")), deps),
  ];
};

/** What is put around an adapter is loaded with the first that is on. */
const connect = async (name: string, opened: Opened<ChatAdapter>, deps: HostDeps): Promise<ChatSurface> => {
  if (opened.kind === "off") return offSurface(name, opened.why);
  const [{ createConnection }, { chatCommands: commands }] = await Promise.all([
    import("../runtime/chat/connection.ts"),
    import("./commands.ts"),
  ]);
  return createConnection(name, opened.adapter, { ...deps, commands });
};

/** What every connection is made of, whatever its platform. */
export const connectionDeps = (config: Config, parts: ChatParts): HostDeps => ({
  ...parts,
  ...settingsOf(config, parts.modes),
});

const settingsOf = (config: Config, modes: Modes) => ({
  modes: modes.all,
  reviewDays: config.PARLEY_REVIEW_DAYS,
  repos: createRepos(config.PARLEY_REPOS),
  approvers: config.PARLEY_APPROVERS,
  twoPerson: config.PARLEY_TWO_PERSON,
  strangerTurns: config.PARLEY_STRANGER_TURNS,
  language: config.PARLEY_LANGUAGE,
  randomId,
});

export const slackSettings = (config: Config): Parameters<typeof createSlack>[0] => ({
  token: config.SLACK_BOT_TOKEN,
  apiUrl: config.SLACK_API_URL,
  appToken: config.SLACK_APP_TOKEN,
  signingSecret: config.SLACK_SIGNING_SECRET,
  host: config.PARLEY_HOST,
  port: config.PARLEY_SLACK_PORT,
  isAlone: config.PARLEY_DATABASE === undefined,
  isProxied: (config.HTTPS_PROXY ?? config.HTTP_PROXY) !== undefined,
  channels: config.PARLEY_SLACK_CHANNELS ?? null,
  streams: config.PARLEY_SLACK_STREAMS,
  approvalsChannel: config.PARLEY_APPROVALS_CHANNEL,
  noModel: noModel(config),
});

export const discordSettings = (config: Config): Parameters<typeof createDiscord>[0] => ({
  token: config.DISCORD_TOKEN,
  apiUrl: config.DISCORD_API_URL,
  channels: config.PARLEY_DISCORD_CHANNELS ?? null,
  answer: config.PARLEY_DISCORD_ANSWER,
  direct: config.PARLEY_DISCORD_DIRECT,
  requests: config.PARLEY_DISCORD_REQUESTS,
  guild: config.PARLEY_DISCORD_GUILD,
  noModel: noModel(config),
});

const noModel = (config: Config): string | null =>
  config.ANTHROPIC_API_KEY === undefined &&
  config.PARLEY_MODEL === undefined &&
  config.PARLEY_MODELS === undefined
    ? "there is no model: set ANTHROPIC_API_KEY, or PARLEY_MODEL=demo for the scripted one"
    : null;
