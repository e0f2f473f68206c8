/** chat.*: posting, editing, deleting. */

import { z } from "zod";
import { change, post, remove } from "../people/acts.ts";
import { acceptContent, metadataProblem, postTextLimit, updateTextLimit } from "../people/content.ts";
import {
  flag,
  joinedChannel,
  json,
  method,
  type Method,
  visibleChannel,
  writableChannel,
} from "../method.ts";
import { ok, type Outcome, type Refused, refuse, violate } from "../outcome.ts";
import type { Slack } from "../slack.ts";
import { messageWire } from "../wire.ts";
import { app, type Json, type Message, team } from "../world.ts";

const contentArgs = {
  text: z.string().optional(),
  markdown_text: z.string().optional(),
  blocks: json.optional(),
  attachments: json.optional(),
};

const postMessage = method({
  scopes: ["chat:write"],
  tier: "post",
  args: {
    ...contentArgs,
    channel: z.string(),
    thread_ts: z.string().optional(),
    metadata: json.optional(),
    mrkdwn: flag.optional(),
    parse: z.string().optional(),
    link_names: flag.optional(),
    unfurl_links: flag.optional(),
    unfurl_media: flag.optional(),
  },
  run: (slack, args): Outcome => {
    const channel = writableChannel(slack, args.channel);
    if (channel.kind === "refused") {
      return channel;
    }
    const content = acceptContent(slack.schema, args, () => slack.world.nextId("b"));
    const problem = args.metadata === undefined ? undefined : metadataProblem(slack.schema, args.metadata);
    if (content.kind === "refused") {
      return content;
    }
    if (problem !== undefined) {
      return problem;
    }
    if (content.value.text.length > postTextLimit) {
      slack.violate(`text of ${content.value.text.length} characters is cut at ${postTextLimit}`);
    }
    const root = threadRoot(slack, channel.id, args.thread_ts);
    if (root.kind === "refused") {
      return root;
    }
    const message = post(slack, {
      ...content.value,
      channel: channel.id,
      user: app.user,
      botId: app.bot,
      text: content.value.text.slice(0, postTextLimit),
      ...(root.ts === undefined ? {} : { threadTs: root.ts }),
      ...(args.metadata === undefined ? {} : { metadata: recordOf(args.metadata) }),
    });
    return posted(slack, message);
  },
});

/**
 * Where a reply to that timestamp goes. A reply's own timestamp stands for its thread. Slack takes a reply to a message
 * that is gone without a word and posts it to the channel instead.
 */
export const threadRoot = (
  slack: Slack,
  channel: string,
  ts: string | undefined,
): { readonly kind: "root"; readonly ts: string | undefined } | Refused => {
  if (ts === undefined) {
    return { kind: "root", ts };
  }
  const parent = slack.world.message(channel, ts);
  if (parent?.subtype === "channel_join") {
    return refuse("cannot_reply_to_message");
  }
  if (parent === undefined && !slack.world.existed(channel, ts)) {
    slack.violate(`thread_ts ${ts} never was a message of ${channel}`);
  }
  return { kind: "root", ts: parent === undefined ? undefined : (parent.threadTs ?? parent.ts) };
};

const update = method({
  scopes: ["chat:write"],
  tier: 3,
  args: {
    ...contentArgs,
    channel: z.string(),
    ts: z.string(),
    metadata: json.optional(),
    parse: z.string().optional(),
    link_names: flag.optional(),
  },
  run: (slack, args): Outcome => {
    const message = ownMessage(slack, args.channel, args.ts, "cant_update_message");
    if (message.kind === "refused") {
      return message;
    }
    const before = message.value;
    if (before.stream === "in_progress") {
      return violate("streaming_state_conflict", "edited while it streams");
    }
    if ((args.text ?? "").length > updateTextLimit) {
      return violate("msg_too_long", `text of ${args.text?.length} characters in an update`);
    }
    if (before.blocks !== undefined && args.blocks === undefined && args.markdown_text === undefined) {
      slack.violate(
        "an update leaves out the blocks of a message that has some: say which it has from now on",
      );
    }
    const content = acceptContent(slack.schema, args, () => slack.world.nextId("b"));
    const isCleared = JSON.stringify(args.metadata) === "{}";
    const problem =
      args.metadata === undefined || isCleared ? undefined : metadataProblem(slack.schema, args.metadata);
    if (content.kind === "refused") {
      return content;
    }
    if (problem !== undefined) {
      return problem;
    }
    const { blocks: _blocks, attachments: _attachments, metadata: known, ...kept } = before;
    const metadata = args.metadata === undefined ? known : isCleared ? undefined : recordOf(args.metadata);
    const after = change(slack, before, {
      ...kept,
      ...content.value,
      ...(metadata === undefined ? {} : { metadata }),
      edited: { user: app.user, ts: slack.world.nextTs() },
    });
    return posted(slack, after);
  },
});

const chatDelete = method({
  scopes: ["chat:write"],
  tier: 3,
  args: { channel: z.string(), ts: z.string() },
  run: (slack, args): Outcome => {
    const message = ownMessage(slack, args.channel, args.ts, "cant_delete_message");
    if (message.kind === "refused") {
      return message;
    }
    remove(slack, message.value);
    return ok({ channel: message.value.channel, ts: args.ts });
  },
});

const postEphemeral = method({
  scopes: ["chat:write"],
  tier: 4,
  args: { ...contentArgs, channel: z.string(), user: z.string(), thread_ts: z.string().optional() },
  run: (slack, args): Outcome => {
    const channel = writableChannel(slack, args.channel);
    if (channel.kind === "refused") {
      return channel;
    }
    if (!channel.members.has(args.user)) {
      return refuse("user_not_in_channel");
    }
    const content = acceptContent(slack.schema, args, () => slack.world.nextId("b"));
    if (content.kind === "refused") {
      return content;
    }
    const { text, blocks } = content.value;
    const ts = slack.world.nextTs();
    slack.world.ephemerals.push({
      channel: channel.id,
      ts,
      for: args.user,
      text,
      ...(blocks === undefined ? {} : { blocks }),
      ...(args.thread_ts === undefined ? {} : { threadTs: args.thread_ts }),
    });
    return ok({ message_ts: ts });
  },
});

const getPermalink = method({
  tier: "none",
  args: { channel: z.string(), message_ts: z.string() },
  run: (slack, args): Outcome => {
    const channel = visibleChannel(slack, args.channel);
    if (channel.kind === "refused") {
      return channel;
    }
    const message = slack.world.message(channel.id, args.message_ts);
    const thread = message?.threadTs === undefined ? "" : `?thread_ts=${message.threadTs}&cid=${channel.id}`;
    const path = `${channel.id}/p${args.message_ts.replace(".", "")}${thread}`;
    return message === undefined
      ? refuse("message_not_found")
      : ok({ channel: channel.id, permalink: `https://${team.domain}.slack.com/archives/${path}` });
  },
});

export const chatMethods: Readonly<Record<string, Method>> = {
  "chat.postMessage": postMessage,
  "chat.update": update,
  "chat.delete": chatDelete,
  "chat.postEphemeral": postEphemeral,
  "chat.getPermalink": getPermalink,
};

/** A message that the app itself wrote. */
const ownMessage = (
  slack: Slack,
  channelId: string,
  ts: string,
  error: string,
): { readonly kind: "own"; readonly value: Message } | Refused => {
  const channel = joinedChannel(slack, channelId);
  if (channel.kind === "refused") {
    return channel;
  }
  const value = slack.world.message(channel.id, ts);
  if (value === undefined || value.subtype === "tombstone") {
    return refuse("message_not_found");
  }
  return value.botId === app.bot
    ? { kind: "own", value }
    : violate(error, "the message is not the app's own");
};

const posted = (slack: Slack, message: Message): Outcome =>
  ok({
    channel: message.channel,
    ts: message.ts,
    text: message.text,
    message: messageWire(slack.world, message, slack.baseUrl, { withMetadata: true }),
  });

const recordOf = (value: unknown): Json => z.record(z.string(), z.unknown()).parse(value);
