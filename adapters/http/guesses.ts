/**
 * Wrong tokens: so many are answered at once, then a few a minute, from one address and from all. Only wrong tokens are
 * counted and only they are refused with a wait: a right token is always accepted, whatever others guess.
 */

import { createLruCache } from "../../src/text/remembered.ts";

/** At once, and the milliseconds after which one more is answered. */
const EACH = { most: 10, every: 6_000 } as const;
const ALL = { most: 100, every: 600 } as const;
/** Addresses that are remembered; beyond, those that nothing was heard of for the longest time are forgotten. */
const MOST_ADDRESSES = 10_000;

interface Bucket {
  /** Wrong ones that may still be answered, at `at`. */
  readonly left: number;
  readonly at: number;
}

interface Guessed {
  /** Milliseconds that the client has to wait; 0: it is answered as any wrong token. */
  readonly wait: number;
  /** Whether it was the last one before the client has to wait. */
  readonly isLast: boolean;
}

/** `now`: milliseconds of a clock that never goes back. */
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

/** Of IPv6 the network of 64 bits that one subscriber has. */
const networkOf = (address: string): string => {
  if (!address.includes(":") || address.includes(".")) return address;
  const [before = "", after] = address.split("::");
  const head = before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
};
