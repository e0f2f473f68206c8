/** What changes a conversation, whoever does it, and the event that tells the app of it. */

import type { EventType } from "../events.ts";
import type { Slack } from "../slack.ts";
import { messageWire } from "../wire.ts";
import { app, type Channel, type Json, type Message } from "../world.ts";

export type Draft = Omit<Message, "ts" | "reactions" | "files"> & Partial<Pick<Message, "files">>;

/** Puts a new message into its channel. Where the app wrote it, its status in that thread is cleared. */
export const post = (slack: Slack, draft: Draft): Message => {
  const message: Message = { files: [], ...draft, ts: slack.world.nextTs(), reactions: [] };
  slack.world.put(message);
  if (message.botId !== undefined && message.threadTs !== undefined) {
    slack.threads.setStatus(message.channel, message.threadTs, "");
  }
  tell(slack, message.channel, isUndeclared(slack, message) ? "undeclared" : "MessageEvent", () => ({
    ...messageWire(slack.world, message, slack.baseUrl),
    channel: message.channel,
    event_ts: message.ts,
    channel_type: kindOf(slack, message.channel),
  }));
  return message;
};

/** Puts `after` in the place of `before`. */
export const change = (slack: Slack, before: Message, after: Message): Message => {
  slack.world.put(after);
  tell(slack, before.channel, innerType(slack), () => changed(slack, before, after));
  return after;
};

/** A root with replies leaves a tombstone, so that its thread goes on; anything else is gone. */
export const remove = (slack: Slack, message: Message): void => {
  const hasReplies = slack.world
    .thread(message.channel, message.ts)
    .some(({ threadTs }) => threadTs === message.ts);
  if (hasReplies && message.threadTs === undefined) {
    const { botId: _bot, blocks: _blocks, metadata: _metadata, ...rest } = message;
    const tombstone: Message = {
      ...rest,
      user: "USLACKBOT",
      text: "This message was deleted.",
      subtype: "tombstone",
      files: [],
      reactions: [],
    };
    slack.world.put(tombstone);
    tell(slack, message.channel, "undeclared", () => changed(slack, message, tombstone));
    return;
  }
  slack.world.remove(message);
  tell(slack, message.channel, innerType(slack), () => ({
    ...frame(slack, message.channel, "message_deleted"),
    deleted_ts: message.ts,
    previous_message: inner(slack, message),
  }));
};

/** False when that person had already reacted so. */
export const react = (slack: Slack, message: Message, user: string, name: string): boolean => {
  const known = message.reactions.find((reaction) => reaction.name === name);
  if (known?.users.includes(user) === true) {
    return false;
  }
  const users = [...(known?.users ?? []), user];
  slack.world.put({
    ...message,
    reactions: [...message.reactions.filter((reaction) => reaction.name !== name), { name, users }],
  });
  tell(slack, message.channel, "ReactionAddedEvent", () =>
    reaction(slack, "reaction_added", message, user, name),
  );
  return true;
};

/** False when there was no such reaction. */
export const unreact = (slack: Slack, message: Message, user: string, name: string): boolean => {
  const known = message.reactions.find((reaction) => reaction.name === name);
  if (known?.users.includes(user) !== true) {
    return false;
  }
  const users = known.users.filter((one) => one !== user);
  const others = message.reactions.filter((reaction) => reaction.name !== name);
  slack.world.put({ ...message, reactions: users.length === 0 ? others : [...others, { name, users }] });
  tell(slack, message.channel, "ReactionRemovedEvent", () =>
    reaction(slack, "reaction_removed", message, user, name),
  );
  return true;
};

/** Lets the app into a channel. */
export const join = (slack: Slack, channel: Channel, inviter?: string): void => {
  slack.world.channels.set(channel.id, { ...channel, members: new Set([...channel.members, app.user]) });
  tell(slack, channel.id, "MemberJoinedChannelEvent", () => ({
    type: "member_joined_channel",
    user: app.user,
    channel: channel.id,
    channel_type: channel.kind === "group" ? "G" : "C",
    team: "T0FAKE",
    ...(inviter === undefined ? {} : { inviter }),
    event_ts: slack.world.nextTs(),
  }));
};

/** Tells the app of something in a channel that it is in. */
export const tell = (slack: Slack, channel: string, type: EventType, event: () => Json): void => {
  if (slack.world.channels.get(channel)?.members.has(app.user) === true) {
    slack.emit(type, event());
  }
};

/** The declarations know no file of which Slack sends little more than an id. */
const isUndeclared = ({ world }: Slack, { subtype, files, user }: Message): boolean =>
  subtype === "assistant_app_thread" ||
  (files.length > 0 && world.users.get(user)?.role === "external") ||
  files.some((id) => world.files.get(id)?.withheld !== undefined);

const kindOf = (slack: Slack, channel: string): string =>
  slack.world.channels.get(channel)?.kind ?? "channel";

const changed = (slack: Slack, before: Message, after: Message): Json => ({
  ...frame(slack, before.channel, "message_changed"),
  message: inner(slack, after),
  previous_message: inner(slack, before),
});

const frame = (slack: Slack, channel: string, subtype: string): Json => {
  const ts = slack.world.nextTs();
  return {
    type: "message",
    subtype,
    hidden: true,
    channel,
    channel_type: kindOf(slack, channel),
    ts,
    event_ts: ts,
  };
};

/** The declarations have no messages in part. */
const innerType = ({ partialEvents }: Slack): EventType => (partialEvents ? "undeclared" : "MessageEvent");

/** A message inside an event about it. */
const inner = (slack: Slack, message: Message): Json =>
  slack.partialEvents ? partOf(message) : wholeOf(slack, message);

/** What Slack sends of it at the least: files by their ids, and neither words nor attachments. */
const partOf = ({ ts, threadTs, botId, subtype, files }: Message): Json => ({
  type: "message",
  ts,
  ...(subtype === undefined ? {} : { subtype }),
  ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
  ...(botId === undefined ? {} : { bot_id: botId }),
  ...(files.length === 0 ? {} : { files: files.map((id) => ({ id })) }),
  text: null,
  attachments: null,
});

const wholeOf = (slack: Slack, message: Message): Json => ({
  ...messageWire(slack.world, message, slack.baseUrl),
  channel: message.channel,
  channel_type: kindOf(slack, message.channel),
  event_ts: message.ts,
});

const reaction = (slack: Slack, type: string, message: Message, user: string, name: string): Json => ({
  type,
  user,
  reaction: name,
  item_user: message.user,
  item: { type: "message", channel: message.channel, ts: message.ts },
  event_ts: slack.world.nextTs(),
});
