/**
 * The address of a client: the socket's, or the one that a trusted proxy reports (PARLEY_PROXY_ADDRESSES).
 */

import { BlockList, isIP } from "node:net";

/** Clients can forge X-Forwarded-For, so only the part that trusted proxies added counts. */
export const createClientAddress = (
  networks: readonly string[],
): ((socket: string, forwarded: string | undefined) => string) => {
  const proxies = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = address.includes(":") ? "ipv6" : "ipv4";
    proxies.addSubnet(address, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  }
  const isProxy = (address: string): boolean => {
    const family = isIP(address);
    return family !== 0 && proxies.check(address, family === 6 ? "ipv6" : "ipv4");
  };
  return (socket, forwarded) => {
    let client = plain(socket);
    const hops = (forwarded ?? "").slice(-MOST).split(",").toReversed();
    for (const hop of hops) {
      if (!isProxy(client)) break;
      const named = plain(
        hop
          .trim()
          .replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")
          .replace(/^([\d.]+):\d+$/, "$1"),
      );
      if (isIP(named) === 0) break;
      client = named;
    }
    return client;
  };
};

/** Characters of the header that are read, from its end. */
const MOST = 1_000;

/** A dual-stack socket reports IPv4 addresses as mapped IPv6. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
