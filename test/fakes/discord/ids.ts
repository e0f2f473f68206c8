/** Snowflakes: ids that tell the time, strictly growing. Guild ids lie a millisecond apart, so that they spread over shards. */

import type { FakeClock } from "../shared/clock.ts";

const DISCORD_EPOCH = 1_420_070_400_000;
const DAY = 86_400_000;

export interface Ids {
  nextId(): string;
  nextGuildId(): string;
}

export const createIds = (clock: FakeClock): Ids => {
  let last = 0n;
  let guilds = 0;
  return {
    nextId: () => {
      const now = snowflakeAt(clock.now());
      last = now > last ? now : last + 1n;
      return String(last);
    },
    nextGuildId: () => String(snowflakeAt(clock.now() - DAY + (guilds += 1))),
  };
};

/** Epoch milliseconds at which an id was made. */
export const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + DISCORD_EPOCH;

export const shardOf = (guild: string, shardCount: number): number =>
  Number((BigInt(guild) >> 22n) % BigInt(shardCount));

const snowflakeAt = (ms: number): bigint => BigInt(ms - DISCORD_EPOCH) << 22n;
