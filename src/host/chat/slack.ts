/**
 * The Slack surface put together: its threads delivered, what people do there stored and handled, its token tried.
 * Nothing else of the host waits for Slack; what is wrong with it is said in the log and tried again.
 */

import type { Mode } from "../../../adapters/slack/listen/connect.ts";
import type { Identity } from "../../../adapters/slack/listen/identity.ts";
import { type ChatParts, type ChatSurface, firstTry, hasNoModel } from "./chat-surface.ts";
import type { Config } from "../settings/config.ts";
import { randomId } from "../random-id.ts";
import { createNewThreads } from "../../runtime/chat/new-threads.ts";
import { approversOf } from "../../runtime/chat/commands/rights.ts";
import { createDeliverer } from "../../runtime/deliver/deliverer.ts";
import type { Cursors } from "../../ports/backlog.ts";
import type { Limits } from "../../ports/surface.ts";
import { createEntry } from "./slack-entry.ts";
import { createTokenWatch } from "./slack-token.ts";

const NAME = "slack";

export interface SlackParts extends ChatParts {
  readonly cursors: Cursors;
  /** What Unrestricted allows on this host, for people. */
  readonly covers: string;
  /** Unset: Slack's published pace. */
  readonly limits?: Limits | undefined;
}

export interface SlackSurface extends ChatSurface {
  /** Settles, with the reason, when the surface has failed for good and only a new process can help. */
  readonly failed: Promise<string>;
}

/** Why the surface is off, as far as the configuration tells; null where it can be tried. */
export const slackIsOff = (config: Config): string | null => {
  if (config.SLACK_BOT_TOKEN === undefined) return "SLACK_BOT_TOKEN is not set";
  if (modeOf(config) === null) return "set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP mode)";
  return hasNoModel(config);
};

/** Null where the configuration leaves it off. */
export const createSlack = async (config: Config, parts: SlackParts): Promise<SlackSurface | null> => {
  const mode = modeOf(config);
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = config;
  if (slackIsOff(config) !== null || mode === null || token === undefined) return null;
  const adapter = await loadAdapter();
  const { clock, log, store, ledger } = parts;
  const watch = createTokenWatch({
    clock,
    log,
    identify: () => adapter.identify(client),
    recovered: () => {
      deliverer.start();
      entry.catchUp();
    },
  });
  const client = adapter.createSlackClient(token, {
    refused: watch.met,
    ...(apiUrl === undefined ? {} : { apiUrl }),
  });
  const { PARLEY_APPROVALS_CHANNEL: channel, PARLEY_APPROVERS: listed } = config;
  const approvers =
    channel === undefined ? adapter.approversText(approversOf("slack", listed)) : adapter.toldInText(channel);
  let identity: Identity | null = null;
  const streams = adapter.createStreams({ client, self: () => identity, clock, log });
  const surface = parts.metrics.surface(
    NAME,
    adapter.createSlackSurface(client, parts.limits ?? adapter.slackLimits, streams),
  );
  const deliverer = createDeliverer({
    name: NAME,
    surface,
    renderer: adapter.createSlackRenderer({ covers: parts.covers, approvers }),
    store,
    ledger,
    blobs: parts.blobs,
    maskFile: parts.maskFile,
    clock,
    log,
    randomId,
    fault: (conversation) => parts.fault(NAME, conversation),
  });
  const entry = createEntry({
    clock,
    log,
    identify: () => adapter.identify(client),
    token: watch,
    listen: (bot, self, changed) => {
      identity = self;
      return adapter.createListening({
        config,
        parts,
        mode,
        client,
        token,
        watch,
        self,
        bot,
        surface,
        changed,
      });
    },
  });
  return {
    standing: entry.standing,
    late: deliverer.late,
    tell: adapter.createTell(client),
    called: adapter.createReadName(client),
    failed: entry.failed,
    heard: (id, change) => {
      deliverer.heard(id, change);
      entry.heard(id, change);
    },
    threads: createNewThreads({ ...parts, name: NAME, opener: adapter.createOpener(client) }),
    start: (bot) => {
      deliverer.start();
      return firstTry(clock, entry.enter(bot));
    },
    leave: () => {
      watch.close();
      return entry.leave();
    },
    close: deliverer.close,
  };
};

const modeOf = (config: Config): Mode | null => {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = config;
  if (appToken !== undefined) return { kind: "socket", appToken };
  return signingSecret === undefined
    ? null
    : { kind: "http", signingSecret, host: config.PARLEY_HOST, port: config.PARLEY_SLACK_PORT };
};

const loadAdapter = async () => {
  const [
    { createSlackClient, createSlackSurface, slackLimits },
    { createStreams },
    { createSlackRenderer },
    { identify },
    { createOpener },
    { createListening },
    { approversText, toldInText },
    { createTell },
    { createReadName },
  ] = await Promise.all([
    import("../../../adapters/slack/write/surface.ts"),
    import("../../../adapters/slack/write/stream.ts"),
    import("../../../adapters/slack/write/render.ts"),
    import("../../../adapters/slack/listen/identify.ts"),
    import("../../../adapters/slack/write/open.ts"),
    import("./slack-listen.ts"),
    import("../../../adapters/slack/write/markup.ts"),
    import("../../../adapters/slack/write/tell.ts"),
    import("../../../adapters/slack/read/channel-name.ts"),
  ]);
  return {
    createSlackClient,
    createSlackSurface,
    slackLimits,
    createStreams,
    createSlackRenderer,
    identify,
    createOpener,
    createListening,
    approversText,
    toldInText,
    createTell,
    createReadName,
  };
};
