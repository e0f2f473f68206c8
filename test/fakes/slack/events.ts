/** Events as the Events API wraps them. */

import { mustFit } from "../shared/complaint.ts";
import type { Emitted, SlackSchema } from "./schema.ts";
import { app, type Json, team } from "./world.ts";

/** `undeclared`: an event that Slack sends and its declarations leave out. */
export type EventType = Emitted | "undeclared";

/** The callback that carries an event. `viewer`: the person for whom Slack sends it, unset for the bot. Throws when the event is not what Slack's types declare. */
export const eventCallback = (
  schema: SlackSchema,
  type: EventType,
  event: Json,
  id: string,
  now: number,
  viewer?: string,
): Json => {
  if (type !== "undeclared") {
    mustFit(schema.emits(type), event);
  }
  return {
    token: "verification",
    team_id: team.id,
    context_team_id: team.id,
    context_enterprise_id: null,
    api_app_id: app.id,
    event,
    type: "event_callback",
    event_id: id,
    event_time: Math.floor(now / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: team.id,
        user_id: viewer ?? app.user,
        is_bot: viewer === undefined,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
    event_context: `4-${id}`,
  };
};

/** Under which name an app subscribes to an event, as its manifest has it. */
export const subscriptionOf = (event: Json): string => {
  if (event["type"] !== "message") {
    return String(event["type"]);
  }
  switch (event["channel_type"]) {
    case "im":
      return "message.im";
    case "group":
      return "message.groups";
    case "mpim":
      return "message.mpim";
    default:
      return "message.channels";
  }
};

/** What comes instead of events when there were too many: no `event` in it, unlike every other callback. */
export const rateLimitedNotice = (now: number): Json => ({
  token: "verification",
  type: "app_rate_limited",
  team_id: team.id,
  minute_rate_limited: Math.floor(now / 60_000) * 60,
  api_app_id: app.id,
});
