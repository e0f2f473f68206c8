/**
 * The gateway's client, which only dispatches events.
 *
 * The library discards its session after one refused reconnection and identifies again, so missed events are
 * never replayed (hazard G3). Here a session is discarded only after the gateway's Hello, because then the
 * gateway itself rejected the session. A useless resume costs one round trip (op 9). A replaced connection
 * keeps the sessions and the pace of the old one.
 */

import { REST } from "@discordjs/rest";
import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from "@discordjs/ws";
import { GatewayIntentBits } from "discord-api-types/v10";
import type { Millis } from "../../../src/machine/id.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import { omitUndefined } from "../../../src/text/omit-undefined.ts";
import type { CallsOptions } from "../api/calls.ts";
import { createIdentifyPace } from "./identify.ts";
import { outliveLateErrors } from "./late-errors.ts";
import type { Liveness } from "./liveness.ts";
import { reasonOf } from "./problem.ts";

export const INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildModeration,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.MessageContent,
  GatewayIntentBits.DirectMessages,
] as const;

export interface GatewaySettings extends Pick<CallsOptions, "token" | "apiUrl"> {
  readonly clock: Clock;
  readonly log: Log;
  /** Clock that measures the silence of a connection; real time if absent. */
  readonly heartbeats?: Clock;
}

/** State that outlives a connection. */
interface GatewayMemory {
  readonly sessions: Map<number, SessionInfo>;
  pace: ReturnType<typeof createIdentifyPace> | null;
  /** The active connection. An abandoned connection must not keep the session. */
  current: WebSocketManager | null;
}

export const createMemory = (): GatewayMemory => ({ sessions: new Map(), pace: null, current: null });

/** Time limit from the opening of a socket to Discord's Hello. */
const HELLO: Millis = 30_000;

export const createDiscordGateway = (
  { token, apiUrl, clock, log }: GatewaySettings,
  memory: GatewayMemory,
  liveness: Pick<Liveness, "during">,
): WebSocketManager => {
  const { sessions } = memory;
  const greeted = new Set<number>();
  // The library does not stop a waiting shard, which would reconnect forever and compete for its successor's
  // sessions.
  const isGivenUp = (): boolean => memory.current !== manager;
  const rest = new REST(omitUndefined({ version: "10", retries: 0, api: apiUrl }));
  const manager = new WebSocketManager({
    token,
    rest: rest.setToken(token),
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- several of them are none of the enumeration
    intents: INTENTS.reduce<number>((all, one) => all | one, 0),
    // The handshake timer of `ws` can fire after its request failed and would throw uncaught. The limit for
    // Hello covers both.
    handshakeTimeout: null,
    helloTimeout: HELLO,
    retrieveSessionInfo: (shard) => (isGivenUp() ? never() : (sessions.get(shard) ?? null)),
    updateSessionInfo: (shard, session) => {
      if (isGivenUp()) return;
      if (session !== null) sessions.set(shard, session);
      else if (greeted.has(shard)) sessions.delete(shard);
    },
    buildIdentifyThrottler: async (one) => {
      const { session_start_limit: limit } = await one.fetchGatewayInformation();
      const starts = {
        remaining: limit.remaining,
        total: limit.total,
        resetAfter: limit.reset_after,
        maxConcurrency: limit.max_concurrency,
      };
      memory.pace?.told(starts);
      memory.pace ??= createIdentifyPace(clock, starts);
      const { waitForIdentify } = memory.pace;
      return {
        waitForIdentify: async (shard, signal) => {
          await liveness.during(shard, waitForIdentify(shard, signal));
          if (isGivenUp()) await never();
        },
      };
    },
  });
  memory.current = manager;
  outliveLateErrors();
  manager.on(WebSocketShardEvents.Hello, (shard) => void greeted.add(shard));
  manager.on(WebSocketShardEvents.Closed, (_, shard) => void greeted.delete(shard));
  manager.on(WebSocketShardEvents.Error, (error, shard) =>
    log.warn("discord: shard connection failed", { shard, why: reasonOf(error) }),
  );
  return manager;
};

const never = (): Promise<never> => new Promise(() => {});
