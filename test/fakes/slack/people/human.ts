/** What a person does in Slack, and what Slack tells the app of it. A deed that Slack would not offer them throws. */

import { z } from "zod";
import { change, post, react, remove, tell, unreact } from "./acts.ts";
import { createInteractions, type Interactions } from "./interact.ts";
import type { Slack } from "../slack.ts";
import { notifies } from "./typed.ts";
import { contentOf, messageWire, shareWire } from "../wire.ts";
import { app, type Channel, type File, type Json, type Message, team } from "../world.ts";

/** Where something is said: a channel by name or id, or the direct channel with the app. */
export interface Place {
  /** Unset: the direct channel. */
  readonly channel?: string;
  /** The timestamp of a thread's root. */
  readonly thread?: string;
  /** Files that go with it. */
  readonly files?: readonly Upload[];
  /** What the message has besides its text. */
  readonly parts?: Parts;
}

type Parts = Pick<Message, "blocks" | "attachments">;

export interface Upload extends Pick<File, "more" | "withheld" | "answers"> {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A message by its place. */
export interface Address {
  readonly channel: string;
  readonly ts: string;
}

/** What Slack shows beside the app, the most relevant first; anything may be among it. */
export type Viewing = readonly ({ readonly channel: string } | { readonly message: Address } | Json)[];

export interface Human extends Interactions {
  readonly id: string;
  /** A message; `@parley` in it becomes a mention of the app. */
  say(text: string, place?: Place): Address;
  /** Forwards a message with words of one's own. */
  share(message: Address, text: string, place?: Place): Address;
  edit(message: Address, text: string, parts?: Parts): void;
  remove(message: Address): void;
  react(message: Address, name: string): void;
  unreact(message: Address, name: string): void;
  /** Opens the app's Messages tab, with what the person is viewing besides; answers with the direct channel. */
  openMessages(viewing?: Viewing): string;
  openHome(): void;
  /** Views something else while the app is visible. `bare`: as the reference page shows the event. */
  view(viewing: Viewing, bare?: "bare"): void;
  /** Opens the assistant panel of an app of before the agents: a new thread in the direct channel. */
  openAssistant(context?: { readonly channel: string }): Address;
  /** Presses Stop while a message streams. */
  stopStream(message: Address): void;
  /** Presses Stop of a thread's session, which is there while the session is processing. */
  stopSession(thread: Address): void;
}

export const createHuman = (slack: Slack, name: string): Human => {
  const { world } = slack;
  const user = world.userNamed(name);

  const place = (where: Place): Channel => {
    const channel =
      where.channel === undefined ? world.directChannel(user.id) : world.channelNamed(where.channel);
    if (!channel.members.has(user.id)) {
      throw new Error(`${name} is not in ${channel.name}`);
    }
    if (channel.isArchived) {
      throw new Error(`${channel.name} is archived`);
    }
    return channel;
  };
  const find = ({ channel, ts }: Address): Message => {
    const message = world.message(channel, ts);
    if (message === undefined) {
      throw new Error(`no message ${ts} in ${channel}`);
    }
    return message;
  };
  const own = (address: Address): Message => {
    const message = find(address);
    if (message.user !== user.id) {
      throw new Error(`${name} did not write ${address.ts}`);
    }
    return message;
  };
  const upload = ({ name, bytes, ...given }: Upload): string => {
    const id = world.nextId("F");
    world.files.set(id, {
      id,
      name,
      title: name,
      user: user.id,
      bytes,
      size: bytes.length,
      begun: 0,
      isShared: true,
      ...given,
    });
    return id;
  };

  const write = (text: string, where: Place, more: { readonly attachments?: readonly Json[] }): Address => {
    const channel = place(where);
    const files = (where.files ?? []).map(upload);
    const message = post(slack, {
      channel: channel.id,
      user: user.id,
      text: text.replaceAll(`@${app.name}`, `<@${app.user}>`),
      files,
      ...where.parts,
      ...more,
      ...(where.thread === undefined ? {} : { threadTs: where.thread }),
      ...(files.length === 0 ? {} : { subtype: "file_share" }),
    });
    if (channel.kind !== "im" && notifies(contentOf(message), app.user)) {
      mention(slack, message);
    }
    return { channel: channel.id, ts: message.ts };
  };

  const contextOf = (viewing: Viewing): Json => {
    const entities = viewing.map((one): Json => {
      if ("channel" in one && typeof one["channel"] === "string") {
        return {
          type: "slack#/types/channel_id",
          value: world.channelNamed(one["channel"]).id,
          team_id: team.id,
        };
      }
      const { data } = messageSchema.safeParse(one);
      return data === undefined
        ? one
        : {
            type: "slack#/types/message_context",
            value: { message_ts: data.message.ts, channel_id: data.message.channel },
            team_id: team.id,
          };
    });
    return entities.length === 0 ? {} : { entities };
  };
  const opened = (channel: Channel, tab: "home" | "messages", viewing: Viewing | undefined): void =>
    slack.emit(
      isDeclared(viewing ?? []) ? "AppHomeOpenedEvent" : "undeclared",
      {
        type: "app_home_opened",
        user: user.id,
        channel: channel.id,
        tab,
        ...(viewing === undefined ? {} : { context: contextOf(viewing) }),
        event_ts: world.nextTs(),
      },
      user.id,
    );

  return {
    ...createInteractions(slack, user),
    id: user.id,
    say: (text, where = {}) => write(text, where, {}),
    share: (address, text, where = {}) =>
      write(text, where, { attachments: [shareWire(world, find(address), slack.baseUrl)] }),
    edit: (address, text, parts) => {
      const before = own(address);
      // Slack counts edits in whole seconds.
      const ts = world.nextTs().replace(/\d{6}$/, "000000");
      const edited = { user: user.id, ts };
      const typed = text.replaceAll(`@${app.name}`, `<@${app.user}>`);
      const message = change(slack, before, { ...before, ...parts, text: typed, edited });
      const isDirect = world.channels.get(message.channel)?.kind === "im";
      if (!isDirect && notifies(contentOf(message), app.user)) mention(slack, message, world.nextTs());
    },
    remove: (address) => remove(slack, own(address)),
    react: (address, reaction) => {
      react(slack, find(address), user.id, reaction);
    },
    unreact: (address, reaction) => {
      unreact(slack, find(address), user.id, reaction);
    },
    openAssistant: (context) => {
      if (slack.appKind !== "assistant") {
        throw new Error("only an app of before the agents has a panel");
      }
      const channel = world.directChannel(user.id);
      const root = post(slack, {
        channel: channel.id,
        user: app.user,
        botId: app.bot,
        text: "New Assistant Thread",
        subtype: "assistant_app_thread",
      });
      tell(slack, channel.id, "AssistantThreadStartedEvent", () => ({
        type: "assistant_thread_started",
        assistant_thread: {
          user_id: user.id,
          context:
            context === undefined
              ? {}
              : { channel_id: world.channelNamed(context.channel).id, team_id: team.id, enterprise_id: null },
          channel_id: channel.id,
          thread_ts: root.ts,
        },
        event_ts: world.nextTs(),
      }));
      return { channel: channel.id, ts: root.ts };
    },
    openMessages: (viewing) => {
      const channel = world.directChannel(user.id);
      opened(channel, "messages", viewing);
      return channel.id;
    },
    openHome: () => opened(world.directChannel(user.id), "home", undefined),
    view: (viewing, bare) => {
      const { id } = world.directChannel(user.id);
      const event = { type: "app_context_changed", context: contextOf(viewing) };
      if (bare === "bare") slack.emit("undeclared", event, user.id);
      else {
        const whole = { ...event, user: user.id, channel: id, event_ts: world.nextTs() };
        slack.emit(isDeclared(viewing) ? "AppContextChangedEvent" : "undeclared", whole, user.id);
      }
    },
    stopSession: ({ channel, ts }) => {
      if (slack.sessions.of(channel, ts)?.status !== "processing") {
        throw new Error(`${ts} has no Stop`);
      }
      const streaming = world
        .messages(channel)
        .filter((one) => one.stream === "in_progress" && (one.threadTs ?? one.ts) === ts);
      for (const { stream: _stream, ...one } of streaming) {
        slack.streams.stopByUser(channel, one.ts);
        change(slack, { ...one, stream: "in_progress" }, { ...one, stream: "completed" });
      }
      tell(slack, channel, "AgentSessionStoppedEvent", () => ({
        type: "agent_session_stopped",
        channel,
        user: user.id,
        thread_ts: ts,
        streaming_message_ts: streaming.map((one) => one.ts),
        event_ts: world.nextTs(),
      }));
    },
    stopStream: (address) => {
      const { stream: _stream, ...before } = find(address);
      if (_stream !== "in_progress") {
        throw new Error(`${address.ts} does not stream`);
      }
      slack.streams.stopByUser(address.channel, address.ts);
      change(slack, { ...before, stream: "in_progress" }, { ...before, stream: "completed" });
      tell(slack, address.channel, "AgentSessionStoppedEvent", () => ({
        type: "agent_session_stopped",
        channel: address.channel,
        user: user.id,
        thread_ts: before.threadTs ?? before.ts,
        streaming_message_ts: [before.ts],
        event_ts: world.nextTs(),
      }));
    },
  };
};

/** The declarations know four kinds of what can be viewed; Slack sends more. */
const isDeclared = (viewing: Viewing): boolean => viewing.every((one) => !("type" in one));

const messageSchema = z.object({ message: z.object({ channel: z.string(), ts: z.string() }) });

/**
 * The second event that Slack sends for one post which mentions the app: the same `ts`, another `event_id`. Slack makes it before
 * it has the post's files in full and what is shown below the post (WS3).
 */
const mention = (slack: Slack, message: Message, at = message.ts): void => {
  const wire = messageWire(slack.world, message, slack.baseUrl);
  const { subtype: _subtype, attachments: _attachments, files: _files, ...words } = wire;
  const files = message.files.map((id) => ({ id }));
  tell(slack, message.channel, files.length === 0 ? "AppMentionEvent" : "undeclared", () => ({
    ...words,
    ...(files.length === 0 ? {} : { files }),
    type: "app_mention",
    channel: message.channel,
    event_ts: at,
  }));
};
