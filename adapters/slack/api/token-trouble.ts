/** Describes problems with a token, with remedies for the operator. Pure. */

import { webApi } from "@slack/bolt";
import type { Millis } from "../../../src/machine/id.ts";
import { whyOf } from "../../../src/ports/surface.ts";
import { slackFailureOf } from "./failure.ts";

export type TokenTrouble =
  /** The problem remains until the operator changes something. */
  | { readonly kind: "refused"; readonly why: string; readonly remedy: string }
  | { readonly kind: "passing"; readonly why: string; readonly retryAfter: Millis };

const REMEDIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    account_inactive: "The app's bot user was deactivated: install the app again.",
    app_uninstalled: "The app was removed from the workspace: install the app again.",
    invalid_auth: "The token is not valid: copy the token again from the app's settings.",
    link_disabled: "Socket Mode is off: switch Socket Mode on in the app's settings.",
    missing_scope: "Add the scope in the app's settings and install the app again.",
    not_allowed_token_type:
      "The token has the wrong type: SLACK_APP_TOKEN must begin with xapp-, SLACK_BOT_TOKEN with xoxb-.",
    not_authed: "The token is empty: set the token.",
    team_access_not_granted: "The app is not allowed in this workspace: ask the workspace admins.",
    token_expired: "The token has expired: create a new token in the app's settings.",
    token_revoked: "The token was revoked: install the app again and set the new token.",
    user_removed_from_team: "The bot's user was removed from the workspace: install the app again.",
  }),
);

export const tokenRefusalOf = (error: unknown): TokenTrouble => {
  if (error instanceof webApi.WebAPIPlatformError) {
    const remedy = REMEDIES.get(error.data.error);
    if (remedy !== undefined) return { kind: "refused", why: slackErrorCodeOf(error), remedy };
  }
  const trouble = error === undefined ? BROKEN : slackFailureOf(error);
  const retryAfter = trouble.kind === "throttled" ? trouble.retryAfter : 0;
  return { kind: "passing", why: whyOf(trouble, "Slack"), retryAfter };
};

/** Returns Slack's error code, with the missing scope. */
export const slackErrorCodeOf = ({ data }: webApi.WebAPIPlatformError): string =>
  "needed" in data ? `${data.error} (${String(data.needed)})` : data.error;

const BROKEN = { kind: "unknown", why: "the connection broke before it was open" } as const;
