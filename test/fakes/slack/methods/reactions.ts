/** reactions.add and reactions.remove. */

import { z } from "zod";
import { react, unreact } from "../people/acts.ts";
import { joinedChannel, method, type Method } from "../method.ts";
import { ok, type Outcome, type Refused, refuse } from "../outcome.ts";
import type { Slack } from "../slack.ts";
import { app, type Message } from "../world.ts";

const args = { channel: z.string(), timestamp: z.string(), name: z.string() };

const add = method({
  scopes: ["reactions:write"],
  tier: 3,
  args,
  run: (slack, { channel, timestamp, name }): Outcome => {
    const target = messageAt(slack, channel, timestamp);
    if (target.kind === "refused") {
      return target;
    }
    return react(slack, target.value, app.user, name) ? ok() : refuse("already_reacted");
  },
});

const removeReaction = method({
  scopes: ["reactions:write"],
  tier: 2,
  args,
  run: (slack, { channel, timestamp, name }): Outcome => {
    const target = messageAt(slack, channel, timestamp);
    if (target.kind === "refused") {
      return target;
    }
    return unreact(slack, target.value, app.user, name) ? ok() : refuse("no_reaction");
  },
});

const messageAt = (
  slack: Slack,
  id: string,
  ts: string,
): { readonly kind: "message"; readonly value: Message } | Refused => {
  const channel = joinedChannel(slack, id);
  if (channel.kind === "refused") {
    return channel;
  }
  if (channel.isArchived) {
    return refuse("is_archived");
  }
  const value = slack.world.message(channel.id, ts);
  return value === undefined ? refuse("message_not_found") : { kind: "message", value };
};

export const reactionMethods: Readonly<Record<string, Method>> = {
  "reactions.add": add,
  "reactions.remove": removeReaction,
};
