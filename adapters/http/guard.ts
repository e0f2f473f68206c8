/**
 * Who may speak to the API: pure decisions on the head of a request (D4). A page on another origin, a rebound
 * name and a sandboxed command that reaches the port all get nothing. Browsers send cookies to every port of a host, so
 * another local server can be given the console's: it opens nothing without the key, which the page keeps for its own
 * origin and sends in a header.
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
  /** Names beside loopback, without ports. */
  readonly hosts: readonly string[];
  /** The declared address, whose origin is good whatever Host its proxy sends; null without one. */
  readonly published: PublicAddress | null;
  /** Cookies do not know ports: the name keeps two consoles on one machine apart. */
  readonly cookieName: string;
}

/** Loopback, or a name the operator declared; else a name that was rebound to this address. */
export const ownHost = (host: string | undefined, rules: GuardRules): boolean => {
  const name = hostName(host);
  return name !== null && (isLoopback(name) || rules.hosts.includes(name));
};

/** Absent (no browser, or a plain navigation), exactly the origin that was asked, or the declared one. */
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
 * Whether a proxy changed the Host of a browser's request: the browser says that it asked its own origin, which no page can
 * make it say, or asked a declared name.
 */
export const isHostChanged = (
  { origin }: Pick<RequestHead, "origin">,
  site: string | undefined,
  { hosts }: Pick<GuardRules, "hosts">,
): boolean => site === "same-origin" || hosts.includes(URL.parse(origin ?? "")?.hostname ?? "");

/** What a navigation can bring: it opens the page's own files, which say nothing of this host. */
export const hasCookie = ({ cookie }: Pick<RequestHead, "cookie">, rules: GuardRules): boolean => {
  const given = parse(cookie ?? "", rules.cookieName)[rules.cookieName];
  return given !== undefined && equalsInConstantTime(given, cookieValue(rules.token));
};

/** The cookie and the key of the origin that was asked: both, or nothing. */
export const isSignedIn = (head: RequestHead, rules: GuardRules): boolean =>
  hasCookie(head, rules) &&
  head.key !== undefined &&
  equalsInConstantTime(head.key, requestKeyOf(rules, head.host));

/** The cookie that the link is exchanged for: valid as long as the token is, and not the token itself. */
export const setCookie = (rules: GuardRules, host: string | undefined): string => {
  const secure = isLoopback(hostName(host) ?? "") ? "" : "; Secure";
  return `${rules.cookieName}=${cookieValue(rules.token)}; Path=${rules.published?.base ?? ""}/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
};

/** The key of the origin `host` (with its port): valid as long as the token is. */
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
