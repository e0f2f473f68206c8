/**
 * The Slack surface put together: its threads delivered, what people do there stored and handled, its token tried.
 * Nothing else of the host waits for Slack; what is wrong with it is said in the log and tried again.
 */

import { quoteUntrusted } from "../adapters/text.ts";
import type { Connection, Mode } from "../adapters/slack/connect.ts";
import type { Identity } from "../adapters/slack/identity.ts";
import type { Config } from "./config.ts";
import type { ConversationId } from "./core/id.ts";
import { randomId } from "./random-id.ts";
import { type CatchUp, createCatchUp } from "./runtime/chat/catch-up.ts";
import { createChat } from "./runtime/chat/chat.ts";
import { createGap } from "./runtime/chat/gap.ts";
import { createInbox } from "./runtime/chat/inbox.ts";
import { createRepos } from "./runtime/chat/repos.ts";
import { approversOf } from "./runtime/chat/rights.ts";
import { createDeliverer } from "./runtime/deliver/deliverer.ts";
import type { Blobs, Bot, Change, Clock, Log, Store } from "./runtime/ports.ts";
import type { Cursors } from "./runtime/ports-backlog.ts";
import type { ChatStore, Inbox } from "./runtime/ports-chat.ts";
import type { Pictures } from "./runtime/ports-pictures.ts";
import type { Ledger } from "./runtime/ports-surface.ts";
import type { Modes } from "./runtime/ports-tools.ts";
import { createSlots } from "./runtime/slots.ts";

const NAME = "slack";
/** Arrivals that are handled at the same time. */
const AT_ONCE = 32;
const FIRST_TRY = 10_000;
const DEAF_FOR = 10 * 60_000;
const WAITS = { refused: 5 * 60_000, passing: 10_000 };

export interface SlackParts {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly chat: ChatStore;
  readonly cursors: Cursors;
  readonly clock: Clock;
  readonly log: Log;
  readonly blobs: Blobs;
  readonly pictures: Pictures;
  readonly modes: Modes;
  /** What Unrestricted allows on this host, for people. */
  readonly covers: string;
}

export interface SlackSurface {
  /** For people: `on`, or what is missing. */
  standing(): string;
  /** Every change of every conversation, after its commit. */
  heard(id: ConversationId, change: Change): void;
  /** Settles when Slack is connected or the first try has failed; trying goes on. */
  start(bot: Bot): Promise<void>;
  /** Settles, with the reason, when the surface has failed for good and only a new process can help. */
  readonly failed: Promise<string>;
  /** Takes nothing more from Slack. */
  leave(): Promise<void>;
  /** Delivers what can still be delivered. After the bot has closed. */
  close(): Promise<void>;
}

/** Why the surface is off, as far as the configuration tells; null where it can be tried. */
export const slackIsOff = (config: Config): string | null => {
  if (config.SLACK_BOT_TOKEN === undefined) return "SLACK_BOT_TOKEN is not set";
  if (modeOf(config) === null) return "set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP mode)";
  return config.ANTHROPIC_API_KEY === undefined && config.PARLEY_MODEL !== "demo"
    ? "there is no model: set ANTHROPIC_API_KEY, or PARLEY_MODEL=demo for the scripted one"
    : null;
};

/** Null where the configuration leaves it off. */
export const createSlack = async (config: Config, parts: SlackParts): Promise<SlackSurface | null> => {
  const mode = modeOf(config);
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = config;
  if (slackIsOff(config) !== null || mode === null || token === undefined) return null;
  const [{ createSlackClient, createSlackSurface }, { createSlackRenderer }, { identify }] =
    await Promise.all([
      import("../adapters/slack/surface.ts"),
      import("../adapters/slack/render.ts"),
      import("../adapters/slack/identify.ts"),
    ]);
  const { clock, log, store, ledger } = parts;
  const client = createSlackClient(token, apiUrl === undefined ? {} : { apiUrl });
  const surface = createSlackSurface(client);
  const deliverer = createDeliverer({
    name: NAME,
    surface,
    renderer: createSlackRenderer({ covers: parts.covers }),
    store,
    ledger,
    clock,
    log,
    randomId,
  });
  let standing = "connecting";
  let closing = false;
  let joined: { readonly inbox: Inbox; readonly connection: Connection; readonly catchUp: CatchUp } | null =
    null;
  let cancelRetry: (() => void) | null = null;
  let cancelWatch: (() => void) | null = null;
  const failed = Promise.withResolvers<string>();

  /** Tries until Slack says who the bot is; then the surface is joined once. */
  const join = async (bot: Bot): Promise<void> => {
    const identified = await identify(client);
    if (closing) return;
    if (identified.kind === "identity") {
      joined = await connect(bot, identified.self);
      joined.inbox.start();
      await joined.connection.start();
      return;
    }
    const { why } = identified;
    if (identified.kind === "refused") log.error(`Slack refuses the bot token: ${why}. ${identified.remedy}`);
    else log.warn("Slack does not say who the bot is; it is tried again", { why });
    standing = `off: ${why}${identified.kind === "refused" ? `. ${identified.remedy}` : ""}`;
    cancelRetry = clock.after(WAITS[identified.kind], () => void join(bot));
  };

  /** Slack answers, its token is good, and still no event can arrive: that is this process. */
  const watch = (deaf: boolean): void => {
    if (!deaf) {
      cancelWatch?.();
      cancelWatch = null;
      return;
    }
    cancelWatch ??= clock.after(DEAF_FOR, () => {
      cancelWatch = null;
      void judge();
    });
  };

  const judge = async (): Promise<void> => {
    const identified = await identify(client);
    if (standing !== "connecting" || closing) return;
    if (identified.kind === "identity")
      failed.resolve("no connection to Slack for ten minutes, though it answers");
    else watch(true);
  };

  const connect = async (bot: Bot, self: Identity) => {
    const [
      { connectSlack },
      { createSlackPlatform },
      { createHandle },
      { createRespond },
      { createBacklog },
    ] = await Promise.all([
      import("../adapters/slack/connect.ts"),
      import("../adapters/slack/platform.ts"),
      import("../adapters/slack/handle.ts"),
      import("../adapters/slack/respond.ts"),
      import("../adapters/slack/missed.ts"),
    ]);
    const platform = createSlackPlatform({ client, self, log, token, apiUrl });
    const chat = createChat({
      ...parts,
      name: NAME,
      mention: `@${self.name}`,
      bot,
      store: parts.chat,
      platform,
      policy: {
        surface: NAME,
        approvers: approversOf(NAME, config.PARLEY_APPROVERS),
        twoPerson: config.PARLEY_TWO_PERSON,
        drivers: "members",
      },
      repos: createRepos(config.PARLEY_REPOS),
      places: config.PARLEY_SLACK_CHANNELS ?? null,
      modes: parts.modes.all,
      quote: quoteUntrusted,
    });
    const ears = {
      self,
      stops: chat.stops,
      knows: (place: string, root: string) => ledger.find(NAME, place, root) !== null,
    };
    const gap = createGap();
    const inbox = createInbox({
      surface: NAME,
      store: parts.chat,
      clock,
      log,
      slots: createSlots(AT_ONCE),
      handle: createHandle({
        client,
        self,
        chat,
        platform,
        log,
        respond: createRespond(apiUrl, log),
      }),
      gap,
    });
    const backlog = createBacklog(client, ears);
    const catchUp = createCatchUp({ ...parts, surface: NAME, backlog, inbox, gap });
    let listening = 0;
    const connection = connectSlack({
      mode,
      apiUrl,
      client,
      botToken: token,
      self,
      inbox,
      clock,
      log,
      ears,
      changed: (open, refusal) => {
        if (open === 0) gap.begin();
        else if (listening === 0) void catchUp.run();
        listening = open;
        standing = open > 0 ? "on" : refusal === null ? "connecting" : `off: ${refusal}`;
        watch(open === 0 && refusal === null);
      },
    });
    return { inbox, connection, catchUp };
  };

  return {
    standing: () => standing,
    failed: failed.promise,
    heard: deliverer.heard,
    start: async (bot) => {
      deliverer.start();
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(FIRST_TRY, resolve);
      await Promise.race([join(bot), late]);
      cancel();
    },
    leave: async () => {
      closing = true;
      cancelRetry?.();
      joined?.catchUp.close();
      cancelWatch?.();
      await joined?.connection.stop();
      await joined?.inbox.close();
    },
    close: () => deliverer.close(),
  };
};

const modeOf = (config: Config): Mode | null => {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = config;
  if (appToken !== undefined) return { kind: "socket", appToken };
  return signingSecret === undefined
    ? null
    : { kind: "http", signingSecret, host: config.PARLEY_HOST, port: config.PARLEY_SLACK_PORT };
};
