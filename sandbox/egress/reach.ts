/** Opens a connection to a destination: checks and resolves the name, checks the addresses and connects. */

import { connect, isIPv6, type Socket } from "node:net";
import { isWithin, type Network, parseAddress } from "./address.ts";
import { type Lookup, ownNetworks } from "./lookup.ts";
import { addressFault, type Rules, targetFault } from "./rules.ts";
import { targetNameOf, type EgressTarget } from "./target.ts";
import { openTunnel, type ProxyOf } from "./upstream.ts";
import type { Visit } from "./visit.ts";

const CONNECT_MS = 15_000;
/** Time limit for one of several addresses before the next address is tried. */
const ATTEMPT_MS = 2500;

export type ConnectResult =
  | { readonly kind: "connected"; readonly socket: Socket }
  /** The policy forbids the destination. `message`: one sentence for people with the next action. */
  | { readonly kind: "refused"; readonly message: string }
  /** The destination is allowed, but the network failed. */
  | { readonly kind: "failed"; readonly message: string };

export type Reach = (visit: Visit, target: EgressTarget) => Promise<ConnectResult>;

export interface EgressReachDeps {
  readonly rules: Rules;
  readonly lookup: Lookup;
  /** See `EgressOptions.unsafeOpen`. */
  readonly unsafeOpen: readonly Network[];
  /** The operator's outgoing proxy; absent if every connection is direct. */
  readonly proxyOf?: ProxyOf;
}

/** Never rejects. The visit records the destination for every result. */
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
    // Networks with a proxy often have a DNS without public names. The name is already checked, and the proxy resolves it.
    const proxy = deps.proxyOf?.(host.name, port) ?? null;
    if (proxy !== null) return throughProxy(proxy, target);
    if (good.length === 0) return { kind: "failed", message: `${host.name} has no address in the DNS.` };
    return open(target, good);
  };

/** The door is reachable only by this exact spelling. */
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

/** Connects to the checked addresses without a second lookup, whose result could differ. */
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
