/**
 * Classifies calls without a response of the platform itself, for every adapter. A call that was never sent
 * can be repeated at once; a call that may have been carried out must be searched first. Also gives the
 * reason for people and the log. Pure except for the log.
 */

import type { Log } from "../../src/ports/host.ts";
import type { Unread } from "../../src/ports/chat-platform.ts";
import { mayPass, type SendOutcome, type SendFailure, whyOf } from "../../src/ports/surface.ts";

/** Error codes of the system and of undici before a request leaves this machine. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "ECONNREFUSED",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "EMFILE",
  "ENETDOWN",
  "ENETUNREACH",
  "ENFILE",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** System calls during the connection; the same code may also concern an open connection. */
const CONNECTING: ReadonlySet<unknown> = new Set(["connect", "getaddrinfo"]);

/** Refused certificates, which end the handshake before the request. */
const CERTIFICATE = /^(CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|SELF_SIGNED_|UNABLE_TO_)/;

/** The host's own code failed before the call, so a repeat would fail as well. */
class Unmade extends Error {}

/** Makes the content separately from the call, so that its failure does not count as the platform's. */
export const buildRequest = <T>(make: () => T): T => {
  try {
    return make();
  } catch (error) {
    throw new Unmade(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
};

/** `error`: from a call without a response. `platform`: name for people. */
export const unansweredCall = (error: unknown, platform: string): SendFailure => {
  if (error instanceof Unmade) return { kind: "refused", why: error.message, permanent: true, fault: true };
  return wasNeverSent(error)
    ? { kind: "refused", why: `${platform} cannot be reached`, permanent: false }
    : { kind: "unknown", why: "no usable answer came" };
};

/**
 * Classifies the status of a proxy or unknown server. Responses from the platform itself are read by each adapter.
 */
export const statusTrouble = (status: number): SendFailure => {
  const why = `HTTP ${status}`;
  return status >= 500 ? { kind: "unknown", why } : { kind: "refused", why, permanent: false };
};

/** Returns the result of a call, or its failure. An unexpected response leaves the outcome unknown. */
export const createAttempt =
  (troubleOf: (error: unknown) => SendFailure) =>
  async <T>(call: () => Promise<T>): Promise<T | SendFailure> => {
    try {
      return await call();
    } catch (error) {
      return troubleOf(error);
    }
  };

/**
 * Returns the result of a call. A failure is logged and returns null, because the caller can continue without
 * the result.
 */
export const createCourtesy =
  (reasonOf: (error: unknown) => string) =>
  async <T>(log: Log, message: string, call: () => Promise<T>, facts: object = {}): Promise<T | null> => {
    try {
      return await call();
    } catch (error) {
      log.warn(message, { ...facts, why: reasonOf(error) });
      return null;
    }
  };

/** Returns the reason why a read failed, in words for a person. */
export const readFailure = (trouble: SendFailure, platform: string): Unread => ({
  kind: "unread",
  why: trouble.kind === "throttled" ? whyOf(trouble, platform) : `${platform} said: ${trouble.why}`,
  passing: mayPass(trouble),
});

/** Logs that a line of the host was refused; the caller continues. */
export const logRejectedPost = (log: Log, platform: string, what: string, outcome: SendOutcome): void => {
  if (outcome.kind !== "done") {
    log.warn(`${platform.toLowerCase()}: host message rejected`, { what, why: whyOf(outcome, platform) });
  }
};

/** Searches nested causes: one error wraps another, and Slack's client calls the inner one `original`. */
const wasNeverSent = (error: unknown): boolean => {
  for (let one: unknown = error; one instanceof Error; one = innerOf(one)) {
    if ("syscall" in one && CONNECTING.has(one.syscall)) return true;
    if ("code" in one && typeof one.code === "string") {
      if (NEVER_SENT.has(one.code) || CERTIFICATE.test(one.code)) return true;
    }
  }
  return false;
};

const innerOf = (error: Error): unknown => ("original" in error ? error.original : error.cause);
