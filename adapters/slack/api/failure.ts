/** Classifies failed calls of the Web API for delivery (hazard S5). Pure. */

import { webApi } from "@slack/bolt";
import type { SendFailure } from "../../../src/ports/surface.ts";
import { createAttempt, statusTrouble, unansweredCall } from "../../post/trouble.ts";

/** Wait after a rate limit without a duration. */
const DEFAULT_WAIT = 30_000;

/** The channel or the thread is missing, or the app has no access to it. */
const CLOSED = new Set([
  "account_inactive",
  "cannot_reply_to_message",
  "channel_not_found",
  "ekm_access_denied",
  "invalid_auth",
  "is_archived",
  "missing_scope",
  "no_permission",
  "not_authed",
  "not_in_channel",
  "org_login_required",
  "restricted_action",
  "restricted_action_non_threadable_channel",
  "restricted_action_read_only_channel",
  "restricted_action_thread_only_channel",
  "team_access_not_granted",
  "thread_not_found",
  "token_expired",
  "token_revoked",
]);

/** Codes for which the call may have been carried out, according to Slack's documents. */
const DOUBTFUL = new Set(["fatal_error", "internal_error", "request_timeout"]);
const PASSING = new Set(["service_unavailable", "team_added_to_org", "accesslimited"]);
const TOO_FAST = new Set(["rate_limited", "ratelimited", "message_limit_exceeded"]);

/** The client passes any response text on as if it were a code. */
const CODE = /^[a-z][a-z0-9_]*$/;

export const slackFailureOf = (error: unknown): SendFailure => {
  if (error instanceof webApi.WebAPIRateLimitedError) {
    return { kind: "throttled", retryAfter: error.retryAfter * 1_000 };
  }
  if (error instanceof webApi.WebAPIPlatformError) return platformTrouble(error.data.error);
  if (error instanceof webApi.WebAPIHTTPError) return statusTrouble(error.statusCode);
  return unansweredCall(error, "Slack");
};

export const attemptSlackCall = createAttempt(slackFailureOf);

const platformTrouble = (why: string): SendFailure => {
  if (why === "message_not_found") return { kind: "gone", what: "message", why };
  if (CLOSED.has(why)) return { kind: "gone", what: "thread", why };
  if (TOO_FAST.has(why)) return { kind: "throttled", retryAfter: DEFAULT_WAIT };
  if (DOUBTFUL.has(why)) return { kind: "unknown", why };
  if (!CODE.test(why)) return { kind: "unknown", why: "no answer of Slack's came" };
  return { kind: "refused", why, permanent: !PASSING.has(why) };
};
