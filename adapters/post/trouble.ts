/**
 * What it means that a call of a platform's API got no answer of the platform's, the same for every adapter: whether it
 * was never sent (it may be made again at once) or may have been carried out (it is looked for first), and what of it
 * people and the log are told. Pure but for the log.
 */

import type { Log } from "../../src/ports/host.ts";
import type { Unread } from "../../src/ports/chat-platform.ts";
import { mayPass, type SendOutcome, type SendFailure, whyOf } from "../../src/ports/surface.ts";

/** The system's and undici's names for what happens before a request leaves this machine. */
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

/** The same code may name what happens to a connection that stands. */
const CONNECTING: ReadonlySet<unknown> = new Set(["connect", "getaddrinfo"]);

/** The platform's certificate is not taken: the handshake ends before the request. */
const CERTIFICATE = /^(CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|SELF_SIGNED_|UNABLE_TO_)/;

/** Our own code failed at what was to be sent: nothing was asked of the platform, and a second try would fail as well. */
class Unmade extends Error {}

/** What is sent, made from content: apart from the call, so that its failure is not taken for the platform's. */
export const buildRequest = <T>(make: () => T): T => {
  try {
    return make();
  } catch (error) {
    throw new Unmade(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
};

/** `error`: of a call that has no answer. `platform`: as people call it. */
export const unansweredCall = (error: unknown, platform: string): SendFailure => {
  if (error instanceof Unmade) return { kind: "refused", why: error.message, permanent: true, fault: true };
  return wasNeverSent(error)
    ? { kind: "refused", why: `${platform} cannot be reached`, permanent: false }
    : { kind: "unknown", why: "no usable answer came" };
};

/** Of an answer that is a proxy's or nobody's: what the platform itself says is its adapter's to read. */
export const statusTrouble = (status: number): SendFailure => {
  const why = `HTTP ${status}`;
  return status >= 500 ? { kind: "unknown", why } : { kind: "refused", why, permanent: false };
};

/** What a call answers, or what went wrong. An answer that is not what it should be leaves open what was done. */
export const createAttempt =
  (troubleOf: (error: unknown) => SendFailure) =>
  async <T>(call: () => Promise<T>): Promise<T | SendFailure> => {
    try {
      return await call();
    } catch (error) {
      return troubleOf(error);
    }
  };

/** What a call answers; null, and a word in the log, where it fails: the rest goes on without it. */
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

/** What kept something from being read, in words for a person. */
export const readFailure = (trouble: SendFailure, platform: string): Unread => ({
  kind: "unread",
  why: trouble.kind === "throttled" ? whyOf(trouble, platform) : `${platform} said: ${trouble.why}`,
  passing: mayPass(trouble),
});

/** Notes that a line of the host was not taken; the rest goes on. */
export const logRejectedPost = (log: Log, platform: string, what: string, outcome: SendOutcome): void => {
  if (outcome.kind !== "done") {
    log.warn(`${platform} did not take a line of the host`, { what, why: whyOf(outcome, platform) });
  }
};

/** The reason stands some causes deep: one error wraps another, and Slack's client calls the inner one `original`. */
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
