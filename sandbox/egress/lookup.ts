/** Resolves names outside the C library's thread pool, so that slow names in a command do not block the host. */

import { Resolver } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { type Network, parseNetwork } from "./address.ts";

/** Returns all addresses of a name, IPv4 first. Empty if the name has no address or the DNS does not answer. Never rejects. */
export type Lookup = (name: string) => Promise<readonly string[]>;

const TIMEOUT_MS = 4000;
const TRIES = 2;

/** Queries the host's DNS servers and ignores `/etc/hosts` and search domains. */
export const createLookup = (): Lookup => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  return async (name) => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return found.flatMap((family) => (family.status === "fulfilled" ? family.value : []));
  };
};

export const ownNetworks = (): readonly Network[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => parseNetwork(address.replace(/%.*/, "")))
    .filter((network) => network !== null);
