/**
 * Parses a destination from a client of the proxy. Pure and strict: any form that another program could read as a different
 * host is refused.
 */

import { domainToASCII } from "node:url";
import { type IpAddress, parseAddress } from "./address.ts";

type Host =
  /** Lower case, punycode, without a final dot. */
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "address"; readonly name: string; readonly address: IpAddress };

export interface EgressTarget {
  readonly host: Host;
  /** 1 to 65,535. */
  readonly port: number;
}

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Forms that C library parsers accept as an address: `127.1`, `0177.0.0.1`, `2130706433`, `0x7f.1`. */
const NUMERIC = /^(\d+|0x[0-9a-f]*)$/;
const MAX_NAME = 253;

/** Parses a host without port or brackets; null if the text is ambiguous or no host. */
export const readHost = (text: string): Host | null => {
  const literal = parseAddress(text);
  if (literal !== null) return { kind: "address", name: text.toLowerCase(), address: literal };
  if (text.length > MAX_NAME * 4) return null;
  const name = asciiOf(text)?.replace(/\.$/, "") ?? "";
  const labels = name.split(".");
  if (name.length > MAX_NAME || !labels.every((label) => LABEL.test(label))) return null;
  return NUMERIC.test(labels.at(-1) ?? "") ? null : { kind: "name", name };
};

/** Parses `host:port` or `[v6]:port`; the port may be omitted if `defaultPort` is a number. */
export const readAuthority = (text: string, defaultPort: number | null): EgressTarget | null => {
  const parts = /^(?:\[([^[\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text);
  if (parts === null) return null;
  const [, bracketed, plain, digits] = parts;
  const host = readHost(bracketed ?? plain ?? "");
  const port = digits === undefined ? defaultPort : Number(digits);
  if (host === null || port === null || port < 1 || port > 65_535) return null;
  /* Brackets must contain IPv6, because a colon without brackets would be ambiguous. */
  const isV6 = host.kind === "address" && host.address.length === 16;
  return isV6 === (bracketed !== undefined) ? { host, port } : null;
};

export const targetNameOf = ({ host, port }: EgressTarget): string =>
  host.kind === "address" && host.address.length === 16 ? `[${host.name}]:${port}` : `${host.name}:${port}`;

/** Converts to ASCII. Digits of other scripts become ASCII digits too, so the result must be checked again. */
const asciiOf = (text: string): string | null => {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32 || code === 127) return null;
  }
  // oxlint-disable-next-line no-control-regex
  return /^[\x21-\x7e]*$/.test(text) ? text.toLowerCase() : domainToASCII(text) || null;
};
