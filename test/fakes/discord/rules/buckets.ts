/**
 * Rate limits as Discord tells of them: a bucket for each route and major parameter, one for the whole bot, and the count
 * of invalid requests that ends in a ban (hazard G5). The sizes of buckets are Discord's to change and only
 * the headers tell them; these are typical.
 */

import { createHash } from "node:crypto";
import type { FakeClock } from "../../shared/clock.ts";

/** `size` calls within each window of `perMs`. */
export interface Bucket {
  readonly size: number;
  readonly perMs: number;
}

export interface Limited {
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: let through. Seconds otherwise. */
  readonly retryAfter: number | undefined;
  readonly isGlobal: boolean;
  /** Discord's code for the limit, where it has one. */
  readonly code: number | undefined;
}

/** A bucket that only some calls of a route need, unnamed in the headers. */
export interface ExtraBucket {
  readonly name: string;
  readonly bucket: Bucket;
  readonly code?: number;
}

export interface Buckets {
  /** Takes one call of the route. */
  take(route: string, major: string, bucket: Bucket, extra?: ExtraBucket): Limited;
  /** Counts an answer of 401, 403 or 429; true once there were too many within ten minutes. */
  invalid(): boolean;
}

const GLOBAL: Bucket = { size: 50, perMs: 1_000 };
const INVALID: Bucket = { size: 10_000, perMs: 600_000 };

/** `overrides`: other buckets by route (`POST /channels/{channel}/messages`, `global`, `invalid`). `off`: none at all. */
export const createBuckets = (
  clock: FakeClock,
  overrides: Readonly<Record<string, Bucket>> | "off",
): Buckets => {
  const windows = new Map<string, { used: number; readonly endsAt: number }>();

  const windowOf = (key: string, { perMs }: Bucket) => {
    const known = windows.get(key);
    if (known !== undefined && known.endsAt > clock.now()) return known;
    const fresh = { used: 0, endsAt: clock.now() + perMs };
    windows.set(key, fresh);
    return fresh;
  };
  const spend = (key: string, bucket: Bucket): number | undefined => {
    const window = windowOf(key, bucket);
    if (window.used >= bucket.size) return (window.endsAt - clock.now()) / 1_000;
    window.used += 1;
    return undefined;
  };
  const of = (name: string, usual: Bucket): Bucket =>
    overrides === "off" ? usual : (overrides[name] ?? usual);

  return {
    take: (route, major, usual, extra) => {
      if (overrides === "off")
        return { headers: {}, retryAfter: undefined, isGlobal: false, code: undefined };
      const bucket = of(route, usual);
      const key = `${route} ${major}`;
      const everywhere =
        route.startsWith("POST /interactions") || route.includes("/webhooks/")
          ? undefined
          : spend("global", of("global", GLOBAL));
      if (everywhere !== undefined) {
        const headers = {
          "retry-after": whole(everywhere),
          "x-ratelimit-global": "true",
          "x-ratelimit-scope": "global",
        };
        return { headers, retryAfter: everywhere, isGlobal: true, code: undefined };
      }
      const hidden =
        extra === undefined ? undefined : spend(`${extra.name} ${major}`, of(extra.name, extra.bucket));
      const own = hidden ?? spend(key, bucket);
      const { used, endsAt } = windowOf(key, bucket);
      const headers = {
        "x-ratelimit-limit": String(bucket.size),
        "x-ratelimit-remaining": String(bucket.size - used),
        "x-ratelimit-reset": (endsAt / 1_000).toFixed(3),
        "x-ratelimit-reset-after": Math.max(0, (endsAt - clock.now()) / 1_000).toFixed(3),
        "x-ratelimit-bucket": createHash("md5").update(route).digest("hex"),
        ...(own === undefined ? {} : { "retry-after": whole(own), "x-ratelimit-scope": "user" }),
      };
      return {
        headers,
        retryAfter: own,
        isGlobal: false,
        code: hidden === undefined ? undefined : extra?.code,
      };
    },
    invalid: () => spend("invalid", of("invalid", INVALID)) !== undefined,
  };
};

const whole = (seconds: number): string => String(Math.ceil(seconds));
