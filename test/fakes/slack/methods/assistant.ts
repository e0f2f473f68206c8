/** assistant.threads.*: what stands in an assistant thread beside its messages. */

import { z } from "zod";
import { json, joinedChannel, method, type Method } from "../method.ts";
import { ok, type Outcome, type Refused, refuse, violate } from "../outcome.ts";
import type { Slack } from "../slack.ts";
import type { Channel } from "../world.ts";

const maxLoadingMessages = 10;
const maxPrompts = 4;

const setStatus = method({
  scopes: ["chat:write", "assistant:write"],
  tier: "none",
  args: {
    channel_id: z.string(),
    thread_ts: z.string(),
    status: z.string(),
    loading_messages: json.optional(),
  },
  run: (slack, args): Outcome => {
    const loading = z
      .array(z.string())
      .max(maxLoadingMessages)
      .safeParse(args.loading_messages ?? []);
    if (!loading.success) {
      return violate("invalid_arguments", `loading_messages: at most ${maxLoadingMessages} texts`);
    }
    const channel = threadChannel(slack, args.channel_id, args.thread_ts);
    if (channel.kind === "refused") {
      return channel;
    }
    slack.threads.setStatus(channel.id, args.thread_ts, args.status);
    // The bridge between the status line and sessions.
    if (slack.appKind === "agent") {
      slack.sessions.set(channel.id, args.thread_ts, args.status === "" ? "active" : "processing");
    }
    return ok();
  },
});

const setTitle = method({
  scopes: ["assistant:write"],
  tier: 4,
  args: { channel_id: z.string(), thread_ts: z.string(), title: z.string() },
  run: (slack, args): Outcome => {
    const channel = threadChannel(slack, args.channel_id, args.thread_ts);
    if (channel.kind === "refused") {
      return channel;
    }
    slack.threads.setTitle(channel.id, args.thread_ts, args.title);
    return ok();
  },
});

const promptsSchema = z
  .array(z.object({ title: z.string(), message: z.string() }))
  .min(1)
  .max(maxPrompts);

const setSuggestedPrompts = method({
  scopes: ["assistant:write"],
  tier: 4,
  args: {
    channel_id: z.string(),
    prompts: json,
    thread_ts: z.string().optional(),
    title: z.string().optional(),
  },
  run: (slack, args): Outcome => {
    const prompts = promptsSchema.safeParse(args.prompts);
    if (!prompts.success) {
      return violate("invalid_arguments", `prompts: 1 to ${maxPrompts} of {title, message}`);
    }
    const channel = threadChannel(slack, args.channel_id, args.thread_ts);
    if (channel.kind === "refused") {
      return channel;
    }
    if (args.thread_ts === undefined && slack.appKind !== "agent") {
      return refuse("not_agent_app");
    }
    // With a thread, an agent's call does nothing, and says so nowhere.
    if (args.thread_ts === undefined || slack.appKind !== "agent") {
      slack.threads.setPrompts(channel.id, args.thread_ts ?? "", prompts.data);
    }
    return ok();
  },
});

export const assistantMethods: Readonly<Record<string, Method>> = {
  "assistant.threads.setStatus": setStatus,
  "assistant.threads.setTitle": setTitle,
  "assistant.threads.setSuggestedPrompts": setSuggestedPrompts,
};

const threadChannel = (slack: Slack, id: string, ts: string | undefined): Channel | Refused => {
  const channel = joinedChannel(slack, id);
  return channel.kind !== "refused" && ts !== undefined && slack.world.message(channel.id, ts) === undefined
    ? refuse("invalid_thread_ts")
    : channel;
};
