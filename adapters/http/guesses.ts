/**
 * Limits wrong tokens: a number at once, then a few per minute, per address and in total. Only wrong tokens
 * are counted and delayed. A right token is always accepted, whatever others guess.
 */

import { createLruCache } from "../../src/text/lru-cache.ts";

/** Number of wrong tokens at once, and milliseconds until one more is permitted. */
const EACH = { most: 10, every: 6_000 } as const;
const ALL = { most: 100, every: 600 } as const;
/** Maximum number of remembered addresses; the least recently active ones are forgotten. */
const MOST_ADDRESSES = 10_000;

interface Bucket {
  /** Wrong tokens that were still permitted at the time `at`. */
  readonly left: number;
  readonly at: number;
}

interface Guessed {
  /** Milliseconds that the client must wait; 0 means that the token is rejected at once. */
  readonly wait: number;
  /** Whether this was the last wrong token before the client must wait. */
  readonly isLast: boolean;
}

/** `now`: milliseconds of a monotonic clock. */
export const createGuesses = (now: () => number) => {
  const each = createLruCache<Bucket>(MOST_ADDRESSES);
  let all: Bucket = { left: ALL.most, at: now() };

  const filled = (bucket: Bucket, { most, every }: typeof EACH | typeof ALL): Bucket => {
    const at = now();
    return { left: Math.min(most, bucket.left + (at - bucket.at) / every), at };
  };
  const own = (place: string): Bucket => filled(each.get(place) ?? { left: EACH.most, at: now() }, EACH);
  const missing = ({ left }: Bucket, every: number): number => Math.max(0, 1 - left) * every;

  const waitOf = (place: string): number =>
    Math.max(missing(own(place), EACH.every), missing(filled(all, ALL), ALL.every));

  /** Counts one wrong token. */
  return (address: string): Guessed => {
    const place = networkOf(address);
    const wait = waitOf(place);
    if (wait > 0) return { wait, isLast: false };
    const { left, at } = own(place);
    each.set(place, { left: left - 1, at });
    all = filled(all, ALL);
    all = { ...all, left: all.left - 1 };
    return { wait: 0, isLast: waitOf(place) > 0 };
  };
};

/** Returns the 64-bit network of an IPv6 address, because one subscriber has all of it. */
const networkOf = (address: string): string => {
  if (!address.includes(":") || address.includes(".")) return address;
  const [before = "", after] = address.split("::");
  const head = before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
};
