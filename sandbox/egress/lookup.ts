/** Names to addresses, without the thread pool of the C library: a command's slow names must not hold the host's own. */

import { Resolver } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { type Network, parseNetwork } from "./address.ts";

/** All addresses of a name, IPv4 first; empty when it has none or the DNS does not answer. Never rejects. */
export type Lookup = (name: string) => Promise<readonly string[]>;

const TIMEOUT_MS = 4000;
const TRIES = 2;

/** Asks the DNS servers of the host; `/etc/hosts` and search domains play no part. */
export const createLookup = (): Lookup => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  return async (name) => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return found.flatMap((family) => (family.status === "fulfilled" ? family.value : []));
  };
};

/** The addresses of this host's own interfaces, as they are now. */
export const ownNetworks = (): readonly Network[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => parseNetwork(address.replace(/%.*/, "")))
    .filter((network) => network !== null);
