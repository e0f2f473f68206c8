/** agents.sessions.*: what a thread's session shows, with the button that stops it. */

import { z } from "zod";
import { joinedChannel, method, type Method } from "../method.ts";
import { ok, type Outcome, type Refused, refuse, violate } from "../outcome.ts";
import { sessionStatuses } from "../sessions.ts";
import type { Slack } from "../slack.ts";
import type { Channel } from "../world.ts";

const maxTitle = 200;
const STOPPED = "agent_session_stopped";

const setStatus = method({
  scopes: ["chat:write"],
  tier: 3,
  args: {
    channel_id: z.string(),
    thread_ts: z.string(),
    status: z.string(),
    title: z.string().optional(),
    initiator_user_id: z.string().optional(),
  },
  run: (slack, args): Outcome => {
    const status = sessionStatuses.find((one) => one === args.status);
    if (status === undefined) {
      return violate("invalid_arguments", `no status ${args.status}`);
    }
    if (args.title !== undefined && (args.title === "" || args.title.length > maxTitle)) {
      return violate("invalid_arguments", `a title of ${args.title.length} characters`);
    }
    const channel = sessionChannel(slack, args.channel_id, args.thread_ts);
    if (channel.kind === "refused") {
      return channel;
    }
    if (args.initiator_user_id !== undefined && !channel.members.has(args.initiator_user_id)) {
      return refuse("user_not_found");
    }
    const { title } = slack.sessions.set(channel.id, args.thread_ts, status, {
      title: args.title,
      initiator: args.initiator_user_id,
    });
    return ok({
      title,
      status,
      agent_status: status,
      ...(slack.subscribes(STOPPED)
        ? {}
        : {
            warning: `missing_${STOPPED}_event_subscription`,
            response_metadata: { warnings: [`missing_${STOPPED}_event_subscription`] },
          }),
    });
  },
});

const rename = method({
  scopes: ["chat:write"],
  tier: 3,
  args: { channel_id: z.string(), thread_ts: z.string(), title: z.string() },
  run: (slack, args): Outcome => {
    if (args.title === "" || args.title.length > maxTitle) {
      return violate("invalid_arguments", `a title of ${args.title.length} characters`);
    }
    const channel = sessionChannel(slack, args.channel_id, args.thread_ts);
    if (channel.kind === "refused") {
      return channel;
    }
    return slack.sessions.rename(channel.id, args.thread_ts, args.title)
      ? ok({ title: args.title })
      : refuse("not_authorized");
  },
});

export const sessionMethods: Readonly<Record<string, Method>> = {
  "agents.sessions.setStatus": setStatus,
  "agents.sessions.rename": rename,
};

/** Only an agent has sessions. An app without any agent feature gets the other refusal. */
const sessionChannel = (slack: Slack, id: string, root: string): Channel | Refused => {
  if (slack.appKind !== "agent") {
    return refuse(slack.appKind === "plain" ? "not_authorized" : "not_agent_app");
  }
  const channel = joinedChannel(slack, id);
  return channel.kind !== "refused" && slack.world.message(channel.id, root) === undefined
    ? refuse("thread_not_found")
    : channel;
};
