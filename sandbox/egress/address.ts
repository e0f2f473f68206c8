/**
 * Classifies network addresses. Pure. Unknown IPv6 ranges count as closed, so an address is public only if no rule here says
 * otherwise.
 */

import { isIPv4, isIPv6 } from "node:net";

/** An address of 4 or 16 bytes. */
export type IpAddress = readonly number[];

/** The operator may open `private` addresses, but not `closed` ones. `what` completes "it is …". */
type Place =
  | { readonly kind: "public" }
  | { readonly kind: "private"; readonly what: string }
  | { readonly kind: "closed"; readonly what: string };

export interface Network {
  readonly address: IpAddress;
  readonly bits: number;
}

/** Accepts only plain forms: four decimal numbers, or IPv6 without a zone. Null for any other text. */
export const parseAddress = (text: string): IpAddress | null => {
  if (isIPv4(text)) return text.split(".").map(Number);
  return isIPv6(text) && !text.includes("%")
    ? wordsOf(text).flatMap((word) => [word >> 8, word & 255])
    : null;
};

/** Parses `address` or `address/bits`; null for any other text. */
export const parseNetwork = (text: string): Network | null => {
  const [before = "", bits, ...more] = text.split("/");
  const address = parseAddress(before);
  if (address === null || more.length > 0) return null;
  if (bits === undefined) return { address, bits: address.length * 8 };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= address.length * 8
    ? { address, bits: Number(bits) }
    : null;
};

export const isWithin = (address: IpAddress, network: Network): boolean => {
  if (address.length !== network.address.length) return false;
  const whole = network.bits >> 3;
  for (let i = 0; i < whole; i++) if (address[i] !== network.address[i]) return false;
  const mask = 0xff00 >> (network.bits & 7);
  return ((address[whole] ?? 0) & mask & 255) === ((network.address[whole] ?? 0) & mask & 255);
};

/** Returns the IPv4 address inside an IPv6 address (mapped, translated, 6to4), or the address itself. */
export const unwrapMappedAddress = (address: IpAddress): IpAddress => {
  const found = EMBEDDING.find(({ network }) => isWithin(address, network));
  return found === undefined ? address : address.slice(found.at, found.at + 4);
};

export const placeOf = (address: IpAddress): Place => {
  const known = TABLE.find(([, , networks]) => networks.some((network) => isWithin(address, network)));
  if (known !== undefined) return { kind: known[0], what: known[1] };
  const inner = unwrapMappedAddress(address);
  if (inner !== address) return placeOf(inner);
  if (address.length === 4 || isWithin(address, GLOBAL_UNICAST)) return { kind: "public" };
  return { kind: "closed", what: "a reserved address" };
};

const wordsOf = (text: string): readonly number[] => {
  // URL parsing rewrites a dotted IPv4 ending as hexadecimal groups.
  const [left = "", right] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const head = numbersOf(left);
  const tail = numbersOf(right ?? "");
  const gap = right === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<number>(gap).fill(0), ...tail];
};

const numbersOf = (part: string): readonly number[] =>
  part === "" ? [] : part.split(":").map((word) => Number.parseInt(word, 16));

const network = (text: string): Network => {
  const parsed = parseNetwork(text);
  if (parsed === null) throw new Error(`${text} is no network`);
  return parsed;
};

const GLOBAL_UNICAST = network("2000::/3");

const EMBEDDING: readonly { readonly network: Network; readonly at: number }[] = [
  { network: network("::ffff:0:0/96"), at: 12 },
  { network: network("::ffff:0:0:0/96"), at: 12 },
  { network: network("::/96"), at: 12 },
  { network: network("64:ff9b::/96"), at: 12 },
  { network: network("2002::/16"), at: 2 },
];

/** Ranges of the special-purpose registries, and addresses that clouds add. The first match counts. */
const TABLE: readonly (readonly ["private" | "closed", string, readonly Network[]])[] = (
  [
    ["closed", "the machine's own address (loopback)", ["127.0.0.0/8", "::1"]],
    ["closed", "an unspecified address", ["0.0.0.0/8", "::"]],
    [
      "closed",
      "a cloud's metadata address",
      ["169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254"],
    ],
    ["closed", "a link-local address", ["169.254.0.0/16", "fe80::/10", "fec0::/10"]],
    ["closed", "a multicast address", ["224.0.0.0/4", "ff00::/8"]],
    ["private", "a private address", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]],
    ["private", "an address of a carrier's inner network", ["100.64.0.0/10"]],
    [
      "closed",
      "a reserved address",
      (
        "192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 " +
        "240.0.0.0/4 64:ff9b:1::/48 2001::/23 2001:db8::/32 3fff::/20"
      ).split(" "),
    ],
  ] as const
).map(([kind, what, networks]) => [kind, what, networks.map(network)]);
