/**
 * Rate limits: a bucket for each method, of the tier that Slack's method list gives it; `chat.postMessage` has one for
 * each channel, a message a second with short bursts (hazard S7).
 */

import type { FakeClock } from "../../shared/clock.ts";

/** `size` calls at once, refilled at `perMinute`. */
export interface Bucket {
  readonly size: number;
  readonly perMinute: number;
}

export type Tier = 1 | 2 | 3 | 4 | "post" | "none";

const buckets: Readonly<Record<Exclude<Tier, "none">, Bucket>> = {
  1: { size: 1, perMinute: 1 },
  2: { size: 20, perMinute: 20 },
  3: { size: 50, perMinute: 50 },
  4: { size: 100, perMinute: 100 },
  post: { size: 5, perMinute: 60 },
};

export interface RateLimiter {
  /** Takes one call; otherwise says after how many whole seconds to come back (at least 1). */
  take(method: string, tier: Tier, channel: string): { readonly retryAfter: number } | undefined;
}

/** `overrides`: other buckets for single methods. `off` lets everything through. */
export const createRateLimiter = (
  clock: FakeClock,
  overrides: Readonly<Record<string, Bucket>> | "off",
): RateLimiter => {
  const levels = new Map<string, { readonly level: number; readonly at: number }>();
  return {
    take: (method, tier, channel) => {
      if (overrides === "off") {
        return undefined;
      }
      const bucket = overrides[method] ?? (tier === "none" ? undefined : buckets[tier]);
      if (bucket === undefined) {
        return undefined;
      }
      const key = tier === "post" ? `${method} ${channel}` : method;
      const perMs = bucket.perMinute / 60_000;
      const now = clock.now();
      const last = levels.get(key) ?? { level: bucket.size, at: now };
      const level = Math.min(bucket.size, last.level + (now - last.at) * perMs);
      if (level < 1) {
        return { retryAfter: Math.max(1, Math.ceil((1 - level) / perMs / 1000)) };
      }
      levels.set(key, { level: level - 1, at: now });
      return undefined;
    },
  };
};
