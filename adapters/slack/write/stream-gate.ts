/**
 * Decides whether a native stream may be started: by the operator's setting, and not for an hour after Slack refused a stream
 * for the workspace or the person.
 */

import { webApi } from "@slack/bolt";
import type { Millis, PersonId } from "../../../src/machine/id.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import type { SlackIdentity } from "../read/identity.ts";
import { slackFailureOf } from "../api/failure.ts";

/** `direct`: only in direct messages, which nobody else reads. */
export type StreamPlaces = "all" | "direct" | "off";

export interface Recipient {
  readonly recipient_team_id: string;
  readonly recipient_user_id: string;
}

export type StreamGate = ReturnType<typeof createStreamGate>;

const LATCHED_FOR: Millis = 60 * 60_000;
const REMEMBERED = 5_000;

export const createStreamGate = (deps: {
  readonly places: StreamPlaces;
  /** Null until Slack has returned the bot's identity. */
  readonly self: () => SlackIdentity | null;
  readonly clock: Clock;
  readonly log: Log;
}) => {
  const { places, self, clock, log } = deps;
  /** End of the pause for each person; EVERYBODY means the workspace. */
  const latched = createLruCache<Millis>(REMEMBERED);
  const isLatched = (whom: string): boolean => (latched.get(whom) ?? -Infinity) > clock.now();

  const hold = (whom: string, why: string, wait: Millis): void => {
    log.info("slack: stream refused, messages edited instead", { why });
    latched.set(whom, clock.now() + wait);
  };

  return {
    /** Returns the recipient of a new stream; null if no stream may be started. */
    recipient: (place: string, person: PersonId | null | undefined): Recipient | null => {
      const user = /^slack:(.+)$/.exec(person ?? "")?.[1];
      const team = self()?.team;
      if (user === undefined || team === undefined) return null;
      if (places === "off" || (places === "direct" && !place.startsWith("D"))) return null;
      if (isLatched(EVERYBODY) || isLatched(user)) return null;
      return { recipient_team_id: team, recipient_user_id: user };
    },
    /** Whether the failure means that no stream was started. The content is then sent in another way. */
    isRefused: (error: unknown, { recipient_user_id: user }: Recipient): boolean => {
      const trouble = slackFailureOf(error);
      if (trouble.kind === "throttled") {
        hold(EVERYBODY, "too fast", trouble.retryAfter);
        return true;
      }
      const code = streamErrorCodeOf(error);
      if (code === null || !refuses(trouble, code)) return false;
      hold(OF_PERSON.has(code) ? user : EVERYBODY, code, LATCHED_FOR);
      return true;
    },
    /** Whether a stream of that bot (`B…`) is Parley's; null while the bot's identity is unknown. */
    isOurs: (bot: string): boolean | null => {
      const known = self();
      return known === null ? null : known.bot === bot;
    },
  };
};

export const streamErrorCodeOf = (error: unknown): string | null =>
  error instanceof webApi.WebAPIPlatformError ? error.data.error : null;

const EVERYBODY = "";

/** Refusals that concern only the person who would see the stream. */
const OF_PERSON = new Set([
  "user_not_found",
  "team_not_found",
  "missing_recipient_team_id",
  "missing_recipient_user_id",
]);

/** A missing scope must not close the thread, because messages can still be posted. */
const refuses = (trouble: ReturnType<typeof slackFailureOf>, code: string): boolean =>
  code === "missing_scope" || code === "no_permission" || (trouble.kind === "refused" && trouble.permanent);
