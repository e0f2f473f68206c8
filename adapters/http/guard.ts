/**
 * Decides about access to the API from the head of a request. Pure (D4). A page of another origin, a rebound
 * name and a sandboxed command that reaches the port all get nothing.
 * Browsers send cookies to every port of a host, so another local server may receive the console's. That
 * cookie is useless without the key, which the page stores for its own origin and sends in a header.
 */

import { createHmac } from "node:crypto";
import { parse } from "hono/utils/cookie";
import { equalsInConstantTime } from "../post/bearer.ts";
import type { PublicAddress } from "./public-address.ts";

interface RequestHead {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly cookie: string | undefined;
  readonly key: string | undefined;
}

export const KEY_HEADER = "x-parley-key";

export interface GuardRules {
  readonly token: string;
  /** Host names besides loopback, without ports. */
  readonly hosts: readonly string[];
  /** The declared address, whose origin is accepted with any Host from its proxy; null without one. */
  readonly published: PublicAddress | null;
  /** Cookies ignore ports, so a name with the port separates two consoles on one machine. */
  readonly cookieName: string;
}

/** Whether the host is loopback or a declared name. Any other name was rebound to this address. */
export const ownHost = (host: string | undefined, rules: GuardRules): boolean => {
  const name = hostName(host);
  return name !== null && (isLoopback(name) || rules.hosts.includes(name));
};

/**
 * Whether the origin is absent (no browser, or a plain navigation), equals the requested origin, or is the
 * declared one.
 */
export const ownOrigin = (
  { origin, host }: Pick<RequestHead, "origin" | "host">,
  { published }: Pick<GuardRules, "published">,
): boolean => {
  if (origin === undefined) return true;
  if (host === undefined || !URL.canParse(origin)) return false;
  const { protocol, host: from, origin: its } = new URL(origin);
  if (published !== null && its === published.origin) return true;
  return (protocol === "http:" || protocol === "https:") && from === host.toLowerCase();
};

/**
 * Whether a proxy changed the Host of a browser's request. In that case the browser reports its own origin,
 * which no page can forge, or a declared name.
 */
export const isHostChanged = (
  { origin }: Pick<RequestHead, "origin">,
  site: string | undefined,
  { hosts }: Pick<GuardRules, "hosts">,
): boolean => site === "same-origin" || hosts.includes(URL.parse(origin ?? "")?.hostname ?? "");

/**
 * Whether the cookie of a navigation is valid. It opens the page's own files, which contain nothing about
 * this host.
 */
export const hasCookie = ({ cookie }: Pick<RequestHead, "cookie">, rules: GuardRules): boolean => {
  const given = parse(cookie ?? "", rules.cookieName)[rules.cookieName];
  return given !== undefined && equalsInConstantTime(given, cookieValue(rules.token));
};

/** Whether both the cookie and the key of the requested origin are valid. */
export const isSignedIn = (head: RequestHead, rules: GuardRules): boolean =>
  hasCookie(head, rules) &&
  head.key !== undefined &&
  equalsInConstantTime(head.key, requestKeyOf(rules, head.host));

/** Returns the cookie for a start link. It is valid as long as the token, but is not the token itself. */
export const setCookie = (rules: GuardRules, host: string | undefined): string => {
  const secure = isLoopback(hostName(host) ?? "") ? "" : "; Secure";
  return `${rules.cookieName}=${cookieValue(rules.token)}; Path=${rules.published?.base ?? ""}/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
};

/** Returns the key for the origin `host` (with its port), valid as long as the token. */
export const requestKeyOf = ({ token }: GuardRules, host: string | undefined): string =>
  createHmac("sha256", token)
    .update(`parley console key ${(host ?? "").toLowerCase()}`)
    .digest("base64url");

const COOKIE_SECONDS = 90 * 24 * 3600;

const cookieValue = (token: string): string =>
  createHmac("sha256", token).update("parley console cookie").digest("base64url");

const hostName = (host: string | undefined): string | null => {
  if (host === undefined || !URL.canParse(`http://${host}`)) return null;
  const url = new URL(`http://${host}`);
  return url.host === host.toLowerCase() || `${url.host}:80` === host.toLowerCase() ? url.hostname : null;
};

const isLoopback = (name: string): boolean =>
  name === "localhost" || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name);
