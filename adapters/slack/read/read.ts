/** Slack's payloads read as far as they are used; every detail of the platform ends here. Pure. */

import * as z from "zod";
import { type SlackMessage, slackMessage } from "./message.ts";

export interface HeardMessage {
  readonly kind: "message";
  readonly channel: string;
  readonly isDirect: boolean;
  readonly message: SlackMessage;
}

/** Something pressed or chosen below a message. */
export interface Pressed {
  readonly kind: "action";
  readonly user: string;
  readonly channel: string;
  /** The message that carries it, and the thread that this is in. */
  readonly message: string;
  readonly thread: string | null;
  /** `action_ts`: Slack's name of the click. */
  readonly at: string;
  /** The app's own name of the button. */
  readonly action: string;
  readonly value: string;
  readonly block: string;
  readonly trigger: string;
  /** By which a message that this person alone sees is taken away; null for any other. */
  readonly alone: string | null;
}

/** A button in a modal. */
export interface Turned {
  readonly kind: "turned";
  readonly user: string;
  readonly view: string;
  /** What the modal was opened with. */
  readonly metadata: string;
  readonly action: string;
  readonly value: string;
  readonly at: string;
}

/** A reaction on a message, or the platform's own Stop. */
export interface Gesture {
  readonly kind: "reaction" | "stopped";
  readonly user: string;
  readonly channel: string;
  readonly message: string;
  readonly name: string;
  readonly at: string;
}

export interface Submitted {
  readonly kind: "submitted";
  readonly user: string;
  readonly view: string;
  readonly form: string;
  /** What the modal was opened with. */
  readonly metadata: string;
  /** What was filled in, by block. */
  readonly values: Readonly<Record<string, string>>;
}

export interface Shortcut {
  readonly kind: "shortcut";
  readonly user: string;
  readonly channel: string;
  readonly message: string;
  readonly thread: string | null;
  readonly name: string;
  readonly trigger: string;
  readonly responseUrl: string;
  /** What stands on the message's button for its steps; null where it has none. */
  readonly steps: string | null;
}

export interface SlashCommand {
  readonly kind: "command";
  readonly user: string;
  readonly channel: string;
  readonly text: string;
  readonly trigger: string;
  readonly responseUrl: string;
}

interface Panel {
  readonly kind: "panel";
  readonly user: string;
  readonly channel: string;
  readonly thread: string;
}

/** A message was deleted; of a thread that goes on, its root stays as a stone without words. */
export interface Removal {
  readonly kind: "removed";
  readonly channel: string;
  readonly message: string;
  readonly thread: string | null;
  /** The bot (`B…`) that had written it; null where it was a person, or that is not told. */
  readonly bot: string | null;
}

export type Read =
  | HeardMessage
  | Removal
  | Pressed
  | Turned
  | Gesture
  | Submitted
  | Shortcut
  | SlashCommand
  | Panel;

/** Null for what nobody here asks about. */
export const readBody = (body: unknown): Read | null => {
  const parsed = anyBody.safeParse(body);
  if (!parsed.success) return null;
  const { data } = parsed;
  switch (data.type) {
    case "event_callback":
      return readEvent(data.event);
    case "block_actions":
      return readAction(data);
    case "view_submission":
      return {
        kind: "submitted",
        user: data.user.id,
        view: data.view.id,
        form: data.view.callback_id,
        metadata: data.view.private_metadata,
        values: valuesOf(data.view.state.values),
      };
    case "message_action":
      return {
        kind: "shortcut",
        user: data.user.id,
        channel: data.channel.id,
        message: data.message.ts,
        thread: data.message.thread_ts ?? null,
        name: data.callback_id,
        trigger: data.trigger_id,
        responseUrl: data.response_url,
        steps: stepsIn(data.message.blocks),
      };
    case undefined:
      return {
        kind: "command",
        user: data.user_id,
        channel: data.channel_id,
        text: data.text,
        trigger: data.trigger_id,
        responseUrl: data.response_url,
      };
  }
};

const removal = (channel: string, message: string, before: SlackMessage | undefined): Removal => ({
  kind: "removed",
  channel,
  message,
  thread: before?.thread_ts ?? null,
  bot: before?.bot_id ?? null,
});

const readEvent = (event: unknown): Read | null => {
  const parsed = anyEvent.safeParse(event);
  if (!parsed.success) return null;
  const { data } = parsed;
  switch (data.type) {
    case "message":
    case "app_mention": {
      const { channel, channel_type: type, deleted_ts: deleted, message: changed, ...rest } = data;
      const { previous_message: before, ...message } = rest;
      if (message.subtype === "message_deleted" && deleted !== undefined)
        return removal(channel, deleted, before);
      if (message.subtype === "message_changed" && changed?.subtype === "tombstone")
        return removal(channel, changed.ts, changed);
      return { kind: "message", channel, isDirect: type === "im" || channel.startsWith("D"), message };
    }
    case "assistant_thread_started": {
      const { user_id: user, channel_id: channel, thread_ts: thread } = data.assistant_thread;
      return { kind: "panel", user, channel, thread };
    }
    case "reaction_added": {
      const { user, reaction: name, item, event_ts: at } = data;
      return { kind: "reaction", user, channel: item.channel, message: item.ts, name, at };
    }
    case "agent_session_stopped": {
      const { user, channel, thread_ts: message, event_ts: at } = data;
      return { kind: "stopped", user, channel, message, name: "stop", at };
    }
  }
};

const readAction = ({
  user,
  actions,
  container,
  view,
  trigger_id: trigger,
  response_url: response,
}: BlockActions): Pressed | Turned | null => {
  const [first] = actions;
  if (first === undefined) return null;
  const { action_id: action, action_ts: at, value = "" } = first;
  if (view !== undefined) {
    const { id, private_metadata: metadata } = view;
    return { kind: "turned", user: user.id, view: id, metadata, action, value, at };
  }
  if (!("channel_id" in container)) return null;
  return {
    kind: "action",
    user: user.id,
    channel: container.channel_id,
    message: container.message_ts,
    thread: container.thread_ts ?? null,
    at,
    action,
    value: first.value ?? first.selected_option?.value ?? "",
    block: first.block_id,
    trigger,
    alone: container.is_ephemeral ? (response ?? null) : null,
  };
};

const valuesOf = (
  values: Readonly<Record<string, Readonly<Record<string, { readonly value?: string | null | undefined }>>>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).map(([block, fields]) => [block, Object.values(fields)[0]?.value ?? ""]),
  );

const stepsIn = (blocks: unknown): string | null => {
  const read = z.array(z.unknown()).safeParse(blocks);
  const buttons = (read.data ?? []).flatMap((block) => actionRow.safeParse(block).data?.elements ?? []);
  return buttons.find(({ action_id: action }) => action === "parley_steps")?.value ?? null;
};

const actionRow = z.object({
  type: z.literal("actions"),
  elements: z.array(z.object({ action_id: z.string(), value: z.string().optional() })),
});

const person = z.object({ id: z.string() });

const blockActions = z.object({
  type: z.literal("block_actions"),
  user: person,
  trigger_id: z.string().default(""),
  response_url: z.string().optional(),
  view: z.object({ id: z.string(), private_metadata: z.string().default("") }).optional(),
  container: z.union([
    z.object({
      channel_id: z.string(),
      message_ts: z.string(),
      thread_ts: z.string().optional(),
      is_ephemeral: z.boolean().default(false),
    }),
    z.object({ view_id: z.string() }),
  ]),
  actions: z.array(
    z.object({
      action_id: z.string(),
      block_id: z.string().default(""),
      action_ts: z.string(),
      value: z.string().optional(),
      selected_option: z.object({ value: z.string() }).nullish(),
    }),
  ),
});

type BlockActions = z.output<typeof blockActions>;

const anyBody = z.discriminatedUnion("type", [
  z.object({ type: z.literal("event_callback"), event: z.unknown() }),
  blockActions,
  z.object({
    type: z.literal("view_submission"),
    user: person,
    view: z.object({
      id: z.string(),
      callback_id: z.string(),
      private_metadata: z.string().default(""),
      state: z.object({
        values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))),
      }),
    }),
  }),
  z.object({
    type: z.literal("message_action"),
    user: person,
    channel: person,
    callback_id: z.string(),
    trigger_id: z.string(),
    response_url: z.string().default(""),
    message: z.object({ ts: z.string(), thread_ts: z.string().optional(), blocks: z.unknown().optional() }),
  }),
  z.object({
    type: z.undefined().optional(),
    command: z.string(),
    text: z.string().default(""),
    user_id: z.string(),
    channel_id: z.string(),
    trigger_id: z.string(),
    response_url: z.string().default(""),
  }),
]);

const anyEvent = z.discriminatedUnion("type", [
  slackMessage.extend({
    type: z.enum(["message", "app_mention"]),
    channel: z.string(),
    channel_type: z.string().optional(),
    deleted_ts: z.string().optional(),
    message: slackMessage.optional(),
    previous_message: slackMessage.optional(),
  }),
  z.object({
    type: z.literal("assistant_thread_started"),
    assistant_thread: z.object({ user_id: z.string(), channel_id: z.string(), thread_ts: z.string() }),
  }),
  z.object({
    type: z.literal("reaction_added"),
    user: z.string(),
    reaction: z.string(),
    event_ts: z.string(),
    item: z.object({ type: z.literal("message"), channel: z.string(), ts: z.string() }),
  }),
  z.object({
    type: z.literal("agent_session_stopped"),
    user: z.string(),
    channel: z.string(),
    thread_ts: z.string(),
    event_ts: z.string(),
  }),
]);
