/** Rules for destinations, set by the operator or by the policy of one command. Pure. */

import {
  type IpAddress,
  isWithin,
  type Network,
  parseNetwork,
  placeOf,
  unwrapMappedAddress,
} from "./address.ts";
import { targetNameOf, readHost, type EgressTarget } from "./target.ts";

/** `suffix`: matches hosts below `name`, without `name` itself. An empty `name` with `suffix` matches any host. */
interface NameRule {
  readonly name: string;
  readonly suffix: boolean;
  readonly port: number | null;
}

interface NetworkRule {
  readonly network: Network;
  readonly port: number | null;
}

export interface Rules {
  /** Null allows any name. */
  readonly names: readonly NameRule[] | null;
  /** Networks that are open although they are not public. */
  readonly networks: readonly NetworkRule[];
}

type RulesResult =
  | { readonly kind: "rules"; readonly rules: Rules }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Ports of entries without a port: ssh, http, https. */
const PORTS: readonly number[] = [22, 80, 443];

/**
 * Parses entries of `PARLEY_EGRESS`: `name`, `*.name` (its subdomains), `*`, an address, or a network `address/bits`. `:port`
 * replaces the ports 22, 80 and 443; IPv6 then needs brackets. Null allows any public host, an empty list no host. A private
 * address needs an entry that names it.
 */
export const readRules = (allow: readonly string[] | null): RulesResult => {
  if (allow === null) return { kind: "rules", rules: { names: null, networks: [] } };
  const read = allow.map(readEntry);
  const problems = read.flatMap((rule, i) =>
    rule === null ? [`entry ${i + 1} is not a host, *.host, address or network, with or without :port`] : [],
  );
  if (problems.length > 0) return { kind: "invalid", problems };
  const rules = read.filter((rule) => rule !== null);
  return {
    kind: "rules",
    rules: {
      names: rules.filter((rule) => "name" in rule),
      networks: rules.filter((rule) => "network" in rule),
    },
  };
};

/**
 * Checks a destination before any lookup, because a DNS query would already carry a forbidden name outside. `only`: `host:port`
 * list of one command's policy, which replaces the list of names. Null: the name is allowed, and `addressFault` must check the
 * addresses.
 */
export const targetFault = (
  rules: Rules,
  only: readonly string[] | null,
  target: EgressTarget,
): string | null => {
  const { host, port } = target;
  if (host.kind === "name" && MACHINE_NAMES.test(host.name))
    return "it is a name for the machine itself or its cloud";
  if (only !== null) {
    return only.includes(targetNameOf(target))
      ? null
      : `this command may reach only ${only.join(", ") || "nothing"}`;
  }
  if (host.kind === "address" && opens(rules.networks, host.address, port)) return null;
  if (rules.names === null) return PORTS.includes(port) ? null : portFault(port);
  const named = rules.names.filter((rule) => matches(rule, host.name, host.kind === "address"));
  if (named.some((rule) => hasPort(rule, port))) return null;
  return named.length > 0 ? portFault(port) : `the operator's list (PARLEY_EGRESS) does not name it; ${ASK}`;
};

/** Null if a connection to the resolved address is allowed. */
export const addressFault = (
  rules: Rules,
  only: readonly string[] | null,
  address: IpAddress,
  port: number,
  own: readonly Network[],
): string | null => {
  const place = placeOf(address);
  if (place.kind === "closed") return `it is ${place.what}, which no setting opens`;
  const open = opens(rules.networks, address, only === null ? port : null);
  if (open) return null;
  if (own.some((network) => isWithin(unwrapMappedAddress(address), network))) {
    return `it is an address of Parley's own host; ${ASK_ADDRESS}`;
  }
  return place.kind === "public" ? null : `it is ${place.what}; ${ASK_ADDRESS}`;
};

const ASK = "the operator of this Parley can add it there";
const ASK_ADDRESS = "the operator of this Parley can open it by naming the address in PARLEY_EGRESS";

const portFault = (port: number): string =>
  `port ${port} is closed; the operator of this Parley can open it with an entry HOST:${port} in PARLEY_EGRESS`;

const MACHINE_NAMES =
  /^(?:(?:.*\.)?localhost|(?:.*\.)?localdomain|metadata|metadata\.google\.internal|metadata\.goog|instance-data)$/;

const opens = (networks: readonly NetworkRule[], address: IpAddress, port: number | null): boolean =>
  networks.some(
    (rule) => isWithin(unwrapMappedAddress(address), rule.network) && (port === null || hasPort(rule, port)),
  );

const hasPort = (rule: { readonly port: number | null }, port: number): boolean =>
  rule.port === null ? PORTS.includes(port) : rule.port === port;

/** A literal address is no subdomain, so only `*` matches it. */
const matches = (rule: NameRule, name: string, literal: boolean): boolean => {
  if (!rule.suffix) return rule.name === name;
  return rule.name === "" || (!literal && name.endsWith(`.${rule.name}`));
};

const readEntry = (entry: string): NameRule | NetworkRule | null => {
  const parts = /^(?:\[([^[\]]+)\]|([^:[\]]+|[^[\]]*:[^[\]]*:[^[\]]*))(?::(\d{1,5}))?$/.exec(entry);
  if (parts === null) return null;
  const [, bracketed, plain = "", digits] = parts;
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  const network = parseNetwork(bracketed ?? plain);
  if (network !== null) return { network, port };
  if (bracketed !== undefined) return null;
  if (plain === "*") return { name: "", suffix: true, port };
  const host = readHost(plain.replace(/^\*\./, ""));
  return host?.kind === "name" ? { name: host.name, suffix: plain.startsWith("*."), port } : null;
};
