/**
 * Wrong tokens: so many are compared at once, then a few a minute, from one address and from all. Whoever is signed in by
 * cookie and key is never asked here, and an address that has sent a right token does not wait for what others guess.
 */

import { createRemembered } from "../../src/text/remembered.ts";

/** At once, and the milliseconds after which one more is compared. */
const EACH = { most: 10, every: 6_000 } as const;
const ALL = { most: 100, every: 600 } as const;
/** Addresses that are remembered; beyond, those that nothing was heard of for the longest time are forgotten. */
const MOST_ADDRESSES = 10_000;

interface Bucket {
  /** Wrong ones that may still be compared, at `at`. */
  readonly left: number;
  readonly at: number;
}

/** `now`: milliseconds of a clock that never goes back. */
export const createGuesses = (now: () => number) => {
  const each = createRemembered<Bucket>(MOST_ADDRESSES);
  const known = createRemembered<true>(MOST_ADDRESSES);
  let all: Bucket = { left: ALL.most, at: now() };

  const filled = (bucket: Bucket, { most, every }: typeof EACH | typeof ALL): Bucket => {
    const at = now();
    return { left: Math.min(most, bucket.left + (at - bucket.at) / every), at };
  };
  const own = (place: string): Bucket => filled(each.get(place) ?? { left: EACH.most, at: now() }, EACH);
  const missing = ({ left }: Bucket, every: number): number => Math.max(0, 1 - left) * every;

  const waitOf = (place: string): number => {
    const mine = missing(own(place), EACH.every);
    return known.get(place) === true ? mine : Math.max(mine, missing(filled(all, ALL), ALL.every));
  };

  return {
    /** Milliseconds until a token from there is compared; 0: now. */
    wait: (address: string): number => waitOf(networkOf(address)),
    /** It was compared, and right or not. `true` where the next one has to wait. */
    compared: (address: string, isRight: boolean): boolean => {
      const place = networkOf(address);
      if (isRight) {
        known.set(place, true);
        return false;
      }
      const { left, at } = own(place);
      each.set(place, { left: left - 1, at });
      all = filled(all, ALL);
      all = { ...all, left: Math.max(0, all.left - 1) };
      return waitOf(place) > 0;
    },
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
