/**
 * The discord.js client as Parley uses it: for the gateway. What happens is read from the dispatches as they come, so
 * that it keeps nothing that grows: no messages, no people, no reactions.
 */

import { Client, Events, GatewayIntentBits, Options } from "discord.js";
import type { Clock, Log } from "../../../src/ports/host.ts";
import { createIdentifyPace } from "./identify.ts";
import { reasonOf } from "./problem.ts";
import { keepSessions } from "./sessions.ts";

export const INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildModeration,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.MessageContent,
  GatewayIntentBits.DirectMessages,
] as const;

/** What must be there even though nothing else of its kind is kept. */
const isSelf = ({ id, client }: { readonly id: string; readonly client: Client }): boolean =>
  id === client.user?.id;

const HOUR_SECONDS = 3_600;

interface ClientSettings {
  /** Another root of the REST API, without the version. */
  readonly apiUrl?: string;
  readonly clock: Clock;
  readonly log: Log;
}

export const createClient = ({ apiUrl, clock, log }: ClientSettings): Client => {
  const client = new Client({
    intents: INTENTS,
    enforceNonce: true,
    shards: "auto",
    rest: { retries: 0, ...(apiUrl === undefined ? {} : { api: apiUrl }) },
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      DMMessageManager: 0,
      GuildMessageManager: 0,
      GuildForumThreadManager: 0,
      GuildTextThreadManager: 0,
      ThreadManager: 0,
      ThreadMemberManager: 0,
      ReactionManager: 0,
      ReactionUserManager: 0,
      PresenceManager: 0,
      VoiceStateManager: 0,
      GuildEmojiManager: 0,
      GuildStickerManager: 0,
      GuildBanManager: 0,
      GuildInviteManager: 0,
      GuildScheduledEventManager: 0,
      AutoModerationRuleManager: 0,
      ApplicationCommandManager: 0,
      GuildMemberManager: { maxSize: 0, keepOverLimit: isSelf },
      UserManager: { maxSize: 0, keepOverLimit: isSelf },
    }),
    sweepers: {
      ...Options.DefaultSweeperSettings,
      threads: { interval: HOUR_SECONDS, lifetime: HOUR_SECONDS },
    },
    ws: {
      buildStrategy: keepSessions,
      buildIdentifyThrottler: async (manager) => {
        const { session_start_limit: limit } = await manager.fetchGatewayInformation();
        return createIdentifyPace(clock, limit.max_concurrency);
      },
    },
  });
  client.on(Events.Error, (error) => log.warn("discord: the client failed", { why: reasonOf(error) }));
  client.on(Events.ShardError, (error, shard) =>
    log.warn("discord: a connection failed", { shard, why: reasonOf(error) }),
  );
  guard(client, log);
  return client;
};

/**
 * A dispatch that the client cannot read would end the process as an unhandled rejection (hazard G4). Parley reads
 * dispatches by itself, so the client may do without that one.
 */
const guard = (client: Client, log: Log): void => {
  const handle = client.ws["handlePacket"].bind(client.ws);
  Object.assign(client.ws, {
    handlePacket: ((packet, shard) => {
      try {
        return handle(packet, shard);
      } catch (error) {
        log.warn("discord: the client could not read an event", { why: reasonOf(error) });
        return false;
      }
    }) satisfies typeof handle,
  });
};
