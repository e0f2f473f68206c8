/**
 * Keeps a gateway session through reconnections that never reached the gateway.
 *
 * discord.js forgets its session as soon as one reconnection is refused, identifies anew, and what was missed is never
 * replayed (hazard G3). Here a session is forgotten only after the gateway has greeted the connection: then it is the
 * gateway that did not want it. Where a session was worth nothing after all, resuming costs one round trip (op 9).
 */

import { SimpleShardingStrategy, type WebSocketOptions } from "discord.js";

type BuildStrategy = NonNullable<WebSocketOptions["buildStrategy"]>;

/** The manager's events; discord.js exports other ones under their names. */
interface ShardEvents {
  on(event: "hello" | "closed", heard: (about: { readonly shardId: number }) => void): unknown;
}

export const keepSessions: BuildStrategy = (manager) => {
  const greeted = new Set<number>();
  const events: ShardEvents = manager;
  events.on("hello", ({ shardId }) => greeted.add(shardId));
  events.on("closed", ({ shardId }) => greeted.delete(shardId));
  const { updateSessionInfo } = manager.options;
  const update: typeof updateSessionInfo = (shard, session) =>
    session === null && !greeted.has(shard) ? undefined : updateSessionInfo(shard, session);
  Object.assign(manager.options, { updateSessionInfo: update });
  return new SimpleShardingStrategy(manager);
};
