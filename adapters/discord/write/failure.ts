/** What a failed call of Discord's REST API means for delivery (hazards G1, G2 and G5). Pure. */

import { DiscordAPIError, HTTPError, RateLimitError, RESTJSONErrorCodes as Code } from "discord.js";
import type { Millis } from "../../../src/machine/id.ts";
import type { Trouble } from "../../../src/ports/surface.ts";
import { createAttempt, statusTrouble, unanswered } from "../../post/trouble.ts";

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

export const troubleOf = (error: unknown): Trouble => {
  if (error instanceof RateLimitError) {
    const wait = Math.max(error.timeToReset, error.retryAfter, error.sublimitTimeout);
    return { kind: "throttled", retryAfter: wait > 0 ? Math.ceil(wait) : DEFAULT_WAIT };
  }
  if (error instanceof DiscordAPIError) return refusal(error);
  if (error instanceof HTTPError) return statusTrouble(error.status);
  return unanswered(error, "Discord");
};

export const attempt = createAttempt(troubleOf);

export const isArchived = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === ARCHIVED;

/** A permission of the bot's is missing. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === FORBIDDEN;

export const isUnknownChannel = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === UNKNOWN_CHANNEL;

export const isUnknownMessage = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === UNKNOWN_MESSAGE;

/** An interaction's token opens nothing any more. */
export const isTokenOver = (error: unknown): boolean =>
  error instanceof DiscordAPIError &&
  (error.status === 401 || error.code === UNKNOWN_WEBHOOK || error.code === TOKEN_OVER);

export const isThreadThere = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.code === THREAD_THERE;

const FORBIDDEN: number = Code.MissingPermissions;
const ARCHIVED: number = Code.InvalidActionOnArchivedThread;
const UNKNOWN_CHANNEL: number = Code.UnknownChannel;
const UNKNOWN_MESSAGE: number = Code.UnknownMessage;
const UNKNOWN_WEBHOOK: number = Code.UnknownWebhook;
const TOKEN_OVER: number = Code.InvalidWebhookToken;
const THREAD_THERE: number = Code.ThreadAlreadyCreatedForMessage;

const refusal = ({ code, status, message }: DiscordAPIError): Trouble => {
  const why = `${message} (${code})`;
  if (code === UNKNOWN_MESSAGE) return { kind: "gone", what: "message", why };
  if (status === 401 || CLOSED.has(code)) return { kind: "gone", what: "thread", why };
  return { kind: "refused", why, permanent: status === 400 || status === 413 };
};
