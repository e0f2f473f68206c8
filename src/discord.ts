/**
 * The Discord surface put together: its threads delivered, what people do there stored and handled. Nothing else of the
 * host waits for Discord; what is wrong with it is said in the log and in the health report.
 */

import { quoteUntrusted } from "../adapters/text.ts";
import type { DiscordState } from "../adapters/discord/connection.ts";
import type { Identity } from "../adapters/discord/identity.ts";
import type { Take } from "../adapters/discord/connect.ts";
import type { Config } from "./config.ts";
import type { ConversationId } from "./core/id.ts";
import { randomId } from "./random-id.ts";
import { createChat } from "./runtime/chat/chat.ts";
import { createInbox } from "./runtime/chat/inbox.ts";
import { isStop } from "./runtime/chat/command.ts";
import { createRepos } from "./runtime/chat/repos.ts";
import { approversOf } from "./runtime/chat/rights.ts";
import { createDeliverer } from "./runtime/deliver/deliverer.ts";
import type { Blobs, Bot, Change, Clock, Log, Store } from "./runtime/ports.ts";
import type { ChatPlatform, ChatStore, Inbox } from "./runtime/ports-chat.ts";
import type { Pictures } from "./runtime/ports-pictures.ts";
import type { Ledger } from "./runtime/ports-surface.ts";
import type { Modes } from "./runtime/ports-tools.ts";
import { createSlots } from "./runtime/slots.ts";

const NAME = "discord";
/** Arrivals that are handled at the same time. */
const AT_ONCE = 32;
const FIRST_TRY = 10_000;

export interface DiscordParts {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly chat: ChatStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly blobs: Blobs;
  readonly pictures: Pictures;
  readonly modes: Modes;
}

export interface DiscordSurface {
  /** For people: `on`, or what is missing. */
  standing(): string;
  /** Every change of every conversation, after its commit. */
  heard(id: ConversationId, change: Change): void;
  /** Settles when Discord is connected or the first try takes long; trying goes on. */
  start(bot: Bot): Promise<void>;
  /** Takes nothing more from Discord. */
  leave(): Promise<void>;
  /** Delivers what can still be delivered. After the bot has closed. */
  close(): Promise<void>;
}

/** Why the surface is off, as far as the configuration tells; null where it can be tried. */
export const discordIsOff = (config: Config): string | null => {
  if (config.DISCORD_TOKEN === undefined) return "DISCORD_TOKEN is not set";
  return config.ANTHROPIC_API_KEY === undefined && config.PARLEY_MODEL !== "demo"
    ? "there is no model: set ANTHROPIC_API_KEY, or PARLEY_MODEL=demo for the scripted one"
    : null;
};

/** Null where the configuration leaves it off. */
export const createDiscord = async (config: Config, parts: DiscordParts): Promise<DiscordSurface | null> => {
  const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl } = config;
  if (discordIsOff(config) !== null || token === undefined) return null;
  const adapter = await loadAdapter();
  const { clock, log, store, ledger, chat: rows } = parts;
  const repos = createRepos(config.PARLEY_REPOS);
  const places = config.PARLEY_DISCORD_CHANNELS ?? null;
  let joined: { readonly inbox: Inbox; readonly take: Take; readonly self: Identity } | null = null;
  let closing = false;
  let bot: Bot | null = null;

  const connection = adapter.createDiscordConnection(
    { token, clock, log, ...(apiUrl === undefined ? {} : { apiUrl }) },
    {
      state: () => undefined,
      event: (type, data) => {
        locks.hear(type, data);
        threads.hear(type, data);
        if (type === "READY" && joined === null && bot !== null && !closing) joined = join(bot, data);
        joined?.take.hear(type, data);
      },
      fresh: () => undefined,
    },
  );
  const { calls } = connection;
  const locks = adapter.createLocks();
  const threads = adapter.createThreads(calls);
  const whispers = adapter.createWhispers(clock);
  const deliverer = createDeliverer({
    name: NAME,
    surface: adapter.createDiscordSurface({
      calls,
      clock,
      locks,
      whispers,
      self: () => joined?.self.bot ?? null,
    }),
    renderer: adapter.discordRenderer,
    store,
    ledger,
    clock,
    log,
    randomId,
  });

  const isEnabled = (place: string): boolean => {
    const binding = rows.binding(NAME, place);
    const isAllowed = places === null || places.includes(place);
    return isAllowed && binding !== null && repos.nameOf(binding.repo) !== null;
  };

  const talkOf = (on: Bot, self: Identity) => (platform: ChatPlatform) =>
    createChat({
      ...parts,
      name: NAME,
      mention: `@${self.name}`,
      bot: on,
      store: rows,
      platform,
      policy: {
        surface: NAME,
        approvers: approversOf(NAME, config.PARLEY_APPROVERS),
        twoPerson: config.PARLEY_TWO_PERSON,
        drivers: "approvers",
      },
      repos,
      places,
      modes: parts.modes.all,
      quote: quoteUntrusted,
    });

  /** Once: the bot stays the same one for as long as the process lives. */
  const join = (on: Bot, ready: unknown): typeof joined => {
    const self = adapter.identityOf(ready);
    if (self === null) {
      log.error("discord: its first event could not be read, so nothing there is answered");
      return null;
    }
    const inbox = createInbox({
      surface: NAME,
      store: rows,
      clock,
      log,
      slots: createSlots(AT_ONCE),
      // What was missed is read back by time, whatever came since.
      gap: { isOpen: () => false },
      handle: adapter.createHandle({
        calls,
        log,
        self,
        threads,
        platform: adapter.createDiscordPlatform({ calls, clock, log, whispers, locks, self, apiUrl }),
        talk: talkOf(on, self),
        direct: config.PARLEY_DISCORD_DIRECT,
        isEnabled,
        acknowledged: (id) => take.acknowledged(id),
      }),
    });
    const take = adapter.createTake({
      calls,
      clock,
      log,
      inbox,
      whispers,
      isEnabled,
      ears: {
        self,
        parent: threads.parent,
        knows: (place, root) => ledger.find(NAME, place, root) !== null,
        stops: isStop,
      },
    });
    void adapter.registerCommands(calls, self.application, config.PARLEY_DISCORD_GUILD ?? null, log);
    inbox.start();
    return { inbox, take, self };
  };

  return {
    standing: () => standingOf(connection.state),
    heard: deliverer.heard,
    start: async (on) => {
      bot = on;
      deliverer.start();
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(FIRST_TRY, resolve);
      await Promise.race([connection.start(), late]);
      cancel();
    },
    leave: async () => {
      closing = true;
      await joined?.inbox.close();
    },
    close: async () => {
      await deliverer.close();
      await connection.close();
    },
  };
};

const standingOf = (state: DiscordState): string => {
  switch (state.kind) {
    case "starting":
      return "connecting";
    case "on":
      return "on";
    case "away":
      return "reconnecting";
    case "failed":
      return `off: ${state.problem.message}. ${state.problem.remedy}`;
    case "closed":
      return "off";
  }
};

const loadAdapter = async () => {
  const [
    { registerCommands },
    { createTake },
    { createDiscordConnection },
    { createHandle },
    { identityOf },
    { createLocks },
    { createDiscordPlatform },
    { discordRenderer },
    { createDiscordSurface },
    { createThreads },
    { createWhispers },
  ] = await Promise.all([
    import("../adapters/discord/commands.ts"),
    import("../adapters/discord/connect.ts"),
    import("../adapters/discord/connection.ts"),
    import("../adapters/discord/handle.ts"),
    import("../adapters/discord/identity.ts"),
    import("../adapters/discord/locks.ts"),
    import("../adapters/discord/platform.ts"),
    import("../adapters/discord/render.ts"),
    import("../adapters/discord/surface.ts"),
    import("../adapters/discord/threads.ts"),
    import("../adapters/discord/whispers.ts"),
  ]);
  return {
    registerCommands,
    createTake,
    createDiscordConnection,
    createHandle,
    identityOf,
    createLocks,
    createDiscordPlatform,
    discordRenderer,
    createDiscordSurface,
    createThreads,
    createWhispers,
  };
};
