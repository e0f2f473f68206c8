/** Classifies failed calls of Discord's REST API for delivery (hazards G1, G2 and G5). Pure. */

import { DiscordAPIError, HTTPError, RateLimitError } from "@discordjs/rest";
import { RESTJSONErrorCodes as Code } from "discord-api-types/v10";
import type { Millis } from "../../../src/machine/id.ts";
import type { SendFailure } from "../../../src/ports/surface.ts";
import { createAttempt, statusTrouble, unansweredCall } from "../../post/trouble.ts";

/** Wait after a rate limit without a duration. */
const DEFAULT_WAIT: Millis = 30_000;

/** The thread or its channel is missing, or the app has no access to it. */
const CLOSED = new Set<number | string>([
  Code.UnknownChannel,
  Code.UnknownGuild,
  Code.MissingAccess,
  Code.MissingPermissions,
  Code.CannotSendMessagesToThisUser,
  Code.CannotSendMessagesInNonTextChannel,
  Code.ThreadLocked,
]);

export const discordFailureOf = (error: unknown): SendFailure => {
  if (error instanceof RateLimitError) {
    const wait = Math.max(error.timeToReset, error.retryAfter, error.sublimitTimeout);
    return { kind: "throttled", retryAfter: wait > 0 ? Math.ceil(wait) : DEFAULT_WAIT };
  }
  if (error instanceof DiscordAPIError) return refusal(error);
  if (error instanceof HTTPError) return statusTrouble(error.status);
  return unansweredCall(error, "Discord");
};

export const attemptDiscordCall = createAttempt(discordFailureOf);

const refusedWith =
  (...codes: readonly (number | string)[]) =>
  (error: unknown): boolean =>
    error instanceof DiscordAPIError && codes.includes(error.code);

export const isArchived = refusedWith(Code.InvalidActionOnArchivedThread);
export const isForbidden = refusedWith(Code.MissingPermissions);
export const isHidden = refusedWith(Code.MissingAccess);
export const isUnknownChannel = refusedWith(Code.UnknownChannel);
export const isUnknownMember = refusedWith(Code.UnknownMember, Code.UnknownUser);
export const isUnknownMessage = refusedWith(Code.UnknownMessage);
/**
 * Refused by form validation (50035) or by the server's moderation rules (200000 messages, 200001 titles).
 */
export const isTitleRefused = refusedWith(
  Code.InvalidFormBodyOrContentType,
  Code.MessageWasBlockedByAutomaticModeration,
  Code.TitleWasBlockedByAutomaticModeration,
);
export const isFullOfThreads = refusedWith(Code.MaximumActiveThreads);
export const isReplyForbidden = refusedWith(Code.CannotReplyWithoutPermissionToReadMessageHistory);
export const isThreadThere = refusedWith(Code.ThreadAlreadyCreatedForMessage);
const isTokenUnknown = refusedWith(Code.UnknownWebhook, Code.InvalidWebhookToken);

export const isTokenOver = (error: unknown): boolean =>
  (error instanceof DiscordAPIError && error.status === 401) || isTokenUnknown(error);

const refusal = (error: DiscordAPIError): SendFailure => {
  const { code, status, message } = error;
  const why = `${message} (${code})`;
  if (isUnknownMessage(error)) return { kind: "gone", what: "message", why };
  if (status === 401 || CLOSED.has(code)) return { kind: "gone", what: "thread", why };
  return { kind: "refused", why, permanent: status === 400 || status === 413 };
};
