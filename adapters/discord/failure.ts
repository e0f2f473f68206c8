/** What a failed call of Discord's REST API means for delivery (platforms.md B.3, B.4). Pure. */

import { DiscordAPIError, HTTPError, RateLimitError, RESTJSONErrorCodes as Code } from "discord.js";
import type { Millis } from "../../src/core/id.ts";
import type { Trouble } from "../../src/runtime/ports-surface.ts";

/** Where Discord says that we are too fast and not for how long. */
const DEFAULT_WAIT: Millis = 30_000;

/** The thread or its channel is not there, or closed to the app: nothing helps until something changes. */
const CLOSED = new Set<number | string>([
  Code.UnknownChannel,
  Code.UnknownGuild,
  Code.MissingAccess,
  Code.MissingPermissions,
  Code.CannotSendMessagesToThisUser,
  Code.CannotSendMessagesInNonTextChannel,
  Code.ThreadLocked,
]);

/** Nothing has left this machine. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** What a call answers, or what went wrong. An answer that is not what it should be leaves open what was done. */
export const attempt = async <T>(call: () => Promise<T>): Promise<T | Trouble> => {
  try {
    return await call();
  } catch (error) {
    return troubleOf(error);
  }
};

export const troubleOf = (error: unknown): Trouble => {
  if (error instanceof RateLimitError) {
    const wait = Math.max(error.timeToReset, error.retryAfter, error.sublimitTimeout);
    return { kind: "throttled", retryAfter: wait > 0 ? Math.ceil(wait) : DEFAULT_WAIT };
  }
  if (error instanceof DiscordAPIError) return refusal(error);
  if (error instanceof HTTPError) return { kind: "unknown", why: `HTTP ${error.status}` };
  return wasNeverSent(error)
    ? { kind: "refused", why: "Discord cannot be reached", permanent: false }
    : { kind: "unknown", why: "no usable answer came" };
};

export const isArchived = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === ARCHIVED;

/** A permission of the bot's is missing. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === FORBIDDEN;

export const isUnknownChannel = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === UNKNOWN_CHANNEL;

export const isUnknownMessage = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === UNKNOWN_MESSAGE;

export const isThreadThere = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === THREAD_THERE;

const FORBIDDEN: number = Code.MissingPermissions;
const ARCHIVED: number = Code.InvalidActionOnArchivedThread;
const UNKNOWN_CHANNEL: number = Code.UnknownChannel;
const UNKNOWN_MESSAGE: number = Code.UnknownMessage;
const THREAD_THERE: number = Code.ThreadAlreadyCreatedForMessage;

const refusal = ({ code, status, message }: DiscordAPIError): Trouble => {
  const why = `${message} (${code})`;
  if (code === UNKNOWN_MESSAGE) return { kind: "gone", what: "message", why };
  if (status === 401 || CLOSED.has(code)) return { kind: "gone", what: "thread", why };
  return { kind: "refused", why, permanent: status === 400 || status === 413 };
};

/** The reason stands some causes deep: one error wraps another. */
const wasNeverSent = (error: unknown): boolean => {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if ("code" in one && typeof one.code === "string" && NEVER_SENT.has(one.code)) return true;
  }
  return false;
};
