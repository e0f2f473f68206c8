/** From a destination to a connection: judged, looked up, judged again, and connected to what was judged. */

import { connect, isIPv6, type Socket } from "node:net";
import { isWithin, type Network, parseAddress } from "./address.ts";
import { type Lookup, ownNetworks } from "./lookup.ts";
import { addressFault, type Rules, targetFault } from "./rules.ts";
import { targetNameOf, type EgressTarget } from "./target.ts";
import { openTunnel, type ProxyOf } from "./upstream.ts";
import type { Visit } from "./visit.ts";

const CONNECT_MS = 15_000;
/** How long one of several addresses is tried before the next one is. */
const ATTEMPT_MS = 2500;

export type ConnectResult =
  | { readonly kind: "connected"; readonly socket: Socket }
  /** The policy says no. `message` is one sentence for people, with what to do. */
  | { readonly kind: "refused"; readonly message: string }
  /** Allowed, but the network did not do it. */
  | { readonly kind: "failed"; readonly message: string };

export type Reach = (visit: Visit, target: EgressTarget) => Promise<ConnectResult>;

export interface EgressReachDeps {
  readonly rules: Rules;
  readonly lookup: Lookup;
  /** See `EgressOptions.unsafeOpen`. */
  readonly unsafeOpen: readonly Network[];
  /** The operator's outgoing proxy. Absent if every connection is direct. */
  readonly proxyOf?: ProxyOf;
}

/** Never rejects. Whatever it answers, the visit has recorded the destination. */
export const createConnectReach =
  (deps: EgressReachDeps): Reach =>
  async (visit, target) => {
    const { host, port } = target;
    const { only } = visit;
    const refuse = (why: string): ConnectResult => {
      visit.record({ host: host.name, port, allowed: false }, why);
      return {
        kind: "refused",
        message: `Parley does not let commands reach ${targetNameOf(target)}: ${why}.`,
      };
    };
    if (host.name === LOOPBACK && port === visit.door) {
      visit.record({ host: host.name, port, allowed: true }, null);
      return open(target, [LOOPBACK]);
    }
    const literal = host.kind === "address" ? host.name : null;
    const early = isOpen(deps, literal) && only === null ? null : targetFault(deps.rules, only, target);
    if (early !== null) return refuse(early);
    if (!visit.reserve(host.name, port)) return refuse(TOO_MANY);

    const addresses = literal === null ? await deps.lookup(host.name) : [literal];
    const own = ownNetworks();
    const faults = addresses.map((text) => {
      const address = parseAddress(text);
      if (address === null) return "the DNS answered with something that is no address";
      return isOpen(deps, text) ? null : addressFault(deps.rules, only, address, port, own);
    });
    const good = addresses.filter((_, i) => faults[i] === null);
    const fault = faults.find((each) => each !== null);
    if (good.length === 0 && fault != null) return refuse(fault);
    visit.record({ host: host.name, port, allowed: true }, null);
    // Networks behind a proxy often have a DNS without public names. The name was judged; the proxy resolves it.
    const proxy = deps.proxyOf?.(host.name, port) ?? null;
    if (proxy !== null) return throughProxy(proxy, target);
    if (good.length === 0) return { kind: "failed", message: `${host.name} has no address in the DNS.` };
    return open(target, good);
  };

/** As a door's address is written; no other form of it is let through. */
const LOOPBACK = "127.0.0.1";

const TOO_MANY =
  "this command has already named as many different destinations as are recorded; start another command";

const isOpen = ({ unsafeOpen }: EgressReachDeps, text: string | null): boolean => {
  const address = text === null ? null : parseAddress(text);
  return address !== null && unsafeOpen.some((network) => isWithin(address, network));
};

const throughProxy = async (proxy: URL, target: EgressTarget): Promise<ConnectResult> => {
  const tunnel = await openTunnel(proxy, targetNameOf(target), CONNECT_MS);
  return tunnel.kind === "open"
    ? { kind: "connected", socket: tunnel.socket }
    : { kind: "failed", message: `${targetNameOf(target)} cannot be reached: ${tunnel.why}.` };
};

/** The judged addresses stand in for a second look-up: there is no moment at which a name could change its meaning. */
const open = (target: EgressTarget, addresses: readonly string[]): Promise<ConnectResult> => {
  const { promise, resolve } = Promise.withResolvers<ConnectResult>();
  const judged = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const socket = connect({
    host: target.host.name,
    port: target.port,
    allowHalfOpen: true,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    lookup: (_name, _options, done) => done(null, judged),
  });
  const fail = (why: string): void => {
    socket.destroy();
    resolve({ kind: "failed", message: `${targetNameOf(target)} cannot be reached: ${why}.` });
  };
  const timer = setTimeout(() => fail(`no answer within ${CONNECT_MS / 1000} s`), CONNECT_MS);
  const onError = (error: Error): void => {
    clearTimeout(timer);
    fail("code" in error && typeof error.code === "string" ? error.code : error.message);
  };
  socket.once("error", onError);
  socket.once("connect", () => {
    clearTimeout(timer);
    socket.off("error", onError);
    resolve({ kind: "connected", socket });
  });
  return promise;
};
