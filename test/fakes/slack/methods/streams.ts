/** chat.startStream, appendStream, stopStream: a message that grows (hazard S6). */

import { z } from "zod";
import { deepestComplaint } from "../../shared/complaint.ts";
import { change, post } from "../people/acts.ts";
import { blocksProblem, markdownTextLimit, metadataProblem, withIds } from "../people/content.ts";
import { joinedChannel, json, method, type Method, writableChannel } from "../method.ts";
import { ok, type Outcome, type Refused, refuse, violate } from "../outcome.ts";
import { sessionStatuses } from "../sessions.ts";
import type { Slack } from "../slack.ts";
import { appended, type Part, partsAsBlocks, partsAsText } from "../streams.ts";
import { messageWire } from "../wire.ts";
import { app, type Message } from "../world.ts";
import { threadRoot } from "./chat.ts";

const contentArgs = { markdown_text: z.string().optional(), chunks: json.optional() };

const start = method({
  scopes: ["chat:write"],
  tier: 2,
  args: {
    ...contentArgs,
    channel: z.string(),
    thread_ts: z.string(),
    recipient_team_id: z.string().optional(),
    recipient_user_id: z.string().optional(),
    task_display_mode: z.enum(["timeline", "plan", "dense"]).optional(),
  },
  run: (slack, args): Outcome => {
    const channel = writableChannel(slack, args.channel);
    if (channel.kind === "refused") {
      return channel;
    }
    if (channel.kind !== "im" && args.recipient_team_id === undefined) {
      return violate("missing_recipient_team_id", "needed outside direct messages");
    }
    if (channel.kind !== "im" && args.recipient_user_id === undefined) {
      return violate("missing_recipient_user_id", "needed outside direct messages");
    }
    if (args.recipient_user_id !== undefined && !slack.world.users.has(args.recipient_user_id)) {
      return refuse("user_not_found");
    }
    const parts = acceptParts(slack, args);
    const root = threadRoot(slack, channel.id, args.thread_ts);
    if (parts.kind === "refused") {
      return parts;
    }
    if (root.kind === "refused") {
      return root;
    }
    const message = post(slack, {
      channel: channel.id,
      user: app.user,
      botId: app.bot,
      ...shown(appended([], parts.value)),
      stream: "in_progress",
      ...(root.ts === undefined ? {} : { threadTs: root.ts }),
    });
    slack.streams.start(channel.id, message.ts);
    if (slack.appKind === "agent") {
      slack.sessions.set(channel.id, root.ts ?? message.ts, "processing");
    }
    slack.streams.setParts(channel.id, message.ts, appended([], parts.value));
    slack.clock.after(slack.times.streamLifetimeMs, () => expire(slack, message));
    return ok({ channel: channel.id, ts: message.ts });
  },
});

const append = method({
  scopes: ["chat:write"],
  tier: 4,
  args: { ...contentArgs, channel: z.string(), ts: z.string() },
  run: (slack, args): Outcome => {
    const streaming = streamingMessage(slack, args.channel, args.ts);
    if (streaming.kind === "refused") {
      return streaming;
    }
    const parts = acceptParts(slack, args);
    if (parts.kind === "refused") {
      return parts;
    }
    if (parts.value.length === 0) {
      return violate("no_text", "neither markdown_text nor chunks");
    }
    const { value: message } = streaming;
    const all = appended(slack.streams.of(message.channel, message.ts)?.parts ?? [], parts.value);
    slack.streams.setParts(message.channel, message.ts, all);
    slack.world.put({ ...message, ...shown(all) });
    return ok({ channel: message.channel, ts: message.ts });
  },
});

const stop = method({
  scopes: ["chat:write"],
  tier: 2,
  args: {
    ...contentArgs,
    channel: z.string(),
    ts: z.string(),
    blocks: json.optional(),
    metadata: json.optional(),
    session_status: z.enum(sessionStatuses).optional(),
  },
  run: (slack, args): Outcome => {
    const streaming = streamingMessage(slack, args.channel, args.ts);
    if (streaming.kind === "refused") {
      return streaming;
    }
    const parts = acceptParts(slack, args);
    const last = acceptParts(slack, {
      chunks: args.blocks === undefined ? [] : [{ type: "blocks", blocks: args.blocks }],
    });
    if (parts.kind === "refused") {
      return parts;
    }
    if (last.kind === "refused") {
      return last;
    }
    const unfit = args.metadata === undefined ? undefined : metadataProblem(slack.schema, args.metadata);
    if (unfit !== undefined) {
      return unfit;
    }
    const { value: before } = streaming;
    const known = slack.streams.of(before.channel, before.ts)?.parts ?? [];
    const all = appended(known, [...parts.value, ...last.value]);
    slack.streams.stop(before.channel, before.ts);
    if (slack.appKind === "agent") {
      slack.sessions.set(before.channel, before.threadTs ?? before.ts, args.session_status ?? "active");
    }
    const after = change(slack, before, {
      ...before,
      ...shown(all),
      stream: "completed",
      ...(args.metadata === undefined
        ? {}
        : { metadata: z.record(z.string(), z.unknown()).parse(args.metadata) }),
    });
    return ok({
      channel: after.channel,
      ts: after.ts,
      message: messageWire(slack.world, after, slack.baseUrl),
    });
  },
});

export const streamMethods: Readonly<Record<string, Method>> = {
  "chat.startStream": start,
  "chat.appendStream": append,
  "chat.stopStream": stop,
};

/** A message of the app that takes appends. */
const streamingMessage = (
  slack: Slack,
  channelId: string,
  ts: string,
): { readonly kind: "streaming"; readonly value: Message } | Refused => {
  const channel = joinedChannel(slack, channelId);
  if (channel.kind === "refused") {
    return channel;
  }
  const value = slack.world.message(channel.id, ts);
  if (value === undefined) {
    return refuse("message_not_found");
  }
  if (value.botId !== app.bot) {
    return violate("message_not_owned_by_app", "the message is not the app's own");
  }
  switch (slack.streams.of(channel.id, ts)?.end) {
    case "open":
      return { kind: "streaming", value };
    case "stopped_by_user":
      return refuse("stopped_by_user");
    case "stopped":
    case undefined:
      return refuse("message_not_in_streaming_state");
  }
};

/** What Slack does with a stream that nobody stopped in time: what was said stays, and no more can be added. */
const expire = (slack: Slack, { channel, ts }: Message): void => {
  const message = slack.world.message(channel, ts);
  if (message?.stream === "in_progress") {
    slack.streams.stop(channel, ts);
    change(slack, message, { ...message, stream: "errored" });
  }
};

const shown = (parts: readonly Part[]): Pick<Message, "text" | "blocks"> => {
  const blocks = partsAsBlocks(parts);
  return { text: partsAsText(parts), ...(blocks.length === 0 ? {} : { blocks }) };
};

const chunkSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("markdown_text"), text: z.string() }),
  z.object({ type: z.literal("plan_update"), title: z.string() }),
  z.looseObject({ type: z.literal("task_update"), id: z.string() }),
  z.object({ type: z.literal("blocks"), blocks: z.array(z.record(z.string(), z.unknown())) }),
]);

/** Characters of one field of a task card. */
const taskFieldLimit = 256;

const acceptParts = (
  slack: Slack,
  content: { readonly markdown_text?: string | undefined; readonly chunks?: unknown },
): { readonly kind: "parts"; readonly value: readonly Part[] } | Refused => {
  const fits = slack.schema.accepts("AnyChunk");
  const given = z.array(z.unknown()).safeParse(content.chunks ?? []);
  if (!given.success) {
    return violate("invalid_chunks", "chunks must be a JSON array");
  }
  const parts: Part[] = [];
  const text =
    content.markdown_text === undefined ? [] : [{ type: "markdown_text", text: content.markdown_text }];
  for (const one of [...text, ...given.data]) {
    const chunk = chunkSchema.safeParse(one);
    if (!chunk.success || !fits(one)) {
      return violate("invalid_chunks", deepestComplaint(fits.errors).reason);
    }
    const part = partOf(slack, chunk.data);
    if (part.kind === "refused") {
      return part;
    }
    parts.push(part);
  }
  return { kind: "parts", value: parts };
};

const partOf = (slack: Slack, chunk: z.infer<typeof chunkSchema>): Part | Refused => {
  switch (chunk.type) {
    case "markdown_text":
      return chunk.text.length > markdownTextLimit
        ? violate("msg_too_long", `a chunk of ${chunk.text.length} characters`)
        : { kind: "text", text: chunk.text };
    case "plan_update":
      return { kind: "plan", title: chunk.title };
    case "task_update": {
      const { type: _type, id, ...card } = chunk;
      const long = Object.entries(card).find(
        ([, value]) => typeof value === "string" && value.length > taskFieldLimit,
      );
      return long === undefined
        ? { kind: "task", id, card }
        : violate("invalid_chunks", `${long[0]} of a task is over ${taskFieldLimit} characters`);
    }
    case "blocks":
      return (
        blocksProblem(slack.schema, chunk.blocks) ?? {
          kind: "blocks",
          blocks: withIds(chunk.blocks, () => slack.world.nextId("b")),
        }
      );
  }
};
