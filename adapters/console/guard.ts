/**
 * Who may speak to the API: pure decisions on the head of a request (D4). A page on another origin, a rebound
 * name and a sandboxed command that reaches the port all get nothing.
 */

import { createHash, createHmac, timingSafeEqual } from "node:crypto";

export interface Head {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
}

export interface GuardRules {
  readonly token: string;
  /** Names beside loopback, without ports. */
  readonly hosts: readonly string[];
  /** Cookies do not know ports: the name keeps two consoles on one machine apart. */
  readonly cookieName: string;
}

/** Loopback, or a name the operator declared; else a name that was rebound to this address. */
export const ownHost = (host: string | undefined, rules: GuardRules): boolean => {
  const name = hostName(host);
  return name !== null && (isLoopback(name) || rules.hosts.includes(name));
};

/** Absent (no browser, or a plain navigation) or exactly the origin that was asked. */
export const ownOrigin = ({ origin, host }: Pick<Head, "origin" | "host">): boolean => {
  if (origin === undefined) return true;
  if (host === undefined || !URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  return (protocol === "http:" || protocol === "https:") && from === host.toLowerCase();
};

export const authorized = (head: Head, rules: GuardRules): boolean => {
  const bearer = /^Bearer +(\S+) *$/i.exec(head.authorization ?? "")?.[1];
  if (bearer !== undefined) return sameSecret(bearer, rules.token);
  const cookie = cookieOf(head.cookie ?? "", rules.cookieName);
  return cookie !== null && sameSecret(cookie, cookieValue(rules.token));
};

/** Compares in a time that says nothing about where the two differ, or how long the secret is. */
export const sameSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(digest(given), digest(secret));

/** The cookie that the link is exchanged for: valid as long as the token is, and not the token itself. */
export const setCookie = (rules: GuardRules, host: string | undefined): string => {
  const secure = isLoopback(hostName(host) ?? "") ? "" : "; Secure";
  return `${rules.cookieName}=${cookieValue(rules.token)}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
};

const COOKIE_SECONDS = 90 * 24 * 3600;

const cookieValue = (token: string): string =>
  createHmac("sha256", token).update("parley console cookie").digest("base64url");

const cookieOf = (header: string, name: string): string | null => {
  const found = header.split(";").map((pair) => pair.trim().split("="));
  return found.find(([key]) => key === name)?.[1] ?? null;
};

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const hostName = (host: string | undefined): string | null => {
  if (host === undefined || !URL.canParse(`http://${host}`)) return null;
  const url = new URL(`http://${host}`);
  return url.host === host.toLowerCase() || `${url.host}:80` === host.toLowerCase() ? url.hostname : null;
};

const isLoopback = (name: string): boolean =>
  name === "localhost" || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name);
