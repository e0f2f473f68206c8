/** A Web API method: who may call it, how often, with what, and what it does. */

import { z } from "zod";
import type { Caller, TokenKind } from "./apps.ts";
import { type Outcome, type Refused, refuse, violate } from "./outcome.ts";
import type { Slack } from "./slack.ts";
import type { Tier } from "./rules/tiers.ts";
import { app, type Channel, type Json } from "./world.ts";

export interface Method {
  /** `app`: an app-level token (`xapp-`); `bot`: a bot token (`xoxb-`); `config`: a configuration token (`xoxe.xoxp-`). */
  readonly token: TokenKind | "none";
  /** One of these is needed; none: no scope at all. */
  readonly scopes: readonly string[];
  readonly tier: Tier;
  /** `caller`: undefined where no token is needed. */
  readonly call: (slack: Slack, args: Json, caller: Caller | undefined) => Outcome;
}

export const method = <Shape extends z.ZodRawShape>(spec: {
  readonly token?: Method["token"];
  readonly scopes?: readonly string[];
  readonly tier: Tier;
  readonly args: Shape;
  readonly run: (slack: Slack, args: z.infer<z.ZodObject<Shape>>, caller: Caller | undefined) => Outcome;
}): Method => {
  const args = z.object(spec.args);
  const names = new Set([...Object.keys(spec.args), "token", "team_id"]);
  return {
    token: spec.token ?? "bot",
    scopes: spec.scopes ?? [],
    tier: spec.tier,
    call: (slack, given, caller) => {
      const unknown = Object.keys(given).filter((name) => !names.has(name));
      if (unknown.length > 0) {
        slack.violate(`unknown arguments: ${unknown.join(", ")}`);
      }
      const parsed = args.safeParse(given);
      return parsed.success ? spec.run(slack, parsed.data, caller) : invalidArguments(parsed.error);
    },
  };
};

const invalidArguments = (error: z.ZodError): Refused => {
  const messages = error.issues.map(
    ({ path, message }) => `[ERROR] ${message} [json-pointer:/${path.map(String).join("/")}]`,
  );
  return violate("invalid_arguments", messages.join("; "), messages);
};

/** A boolean as a form sends it. */
export const flag = z
  .union([z.boolean(), z.enum(["true", "false", "1", "0"])])
  .transform((value) => value === true || value === "true" || value === "1");

export const count = z.coerce.number().int().nonnegative();

/** What travels as JSON; looked at by the method. */
export const json = z.unknown();

/** A channel that the app can see; a person's id means the direct channel with them. */
export const visibleChannel = (slack: Slack, id: string): Channel | Refused => {
  const user = slack.world.users.get(id);
  const channel = user === undefined ? slack.world.channels.get(id) : slack.world.directChannel(id);
  return channel === undefined || (channel.kind === "group" && !channel.members.has(app.user))
    ? refuse("channel_not_found")
    : channel;
};

/** A channel that the app is in. */
export const joinedChannel = (slack: Slack, id: string): Channel | Refused => {
  const channel = visibleChannel(slack, id);
  return channel.kind !== "refused" && !channel.members.has(app.user) ? refuse("not_in_channel") : channel;
};

/** A channel that the app can write to. */
export const writableChannel = (slack: Slack, id: string): Channel | Refused => {
  const channel = joinedChannel(slack, id);
  return channel.kind !== "refused" && channel.isArchived ? refuse("is_archived") : channel;
};
