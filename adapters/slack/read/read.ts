/** Parses Slack's payloads. Other files see no platform detail of payloads. Pure. */

import * as z from "zod";
import { slackMessage } from "./message.ts";

/** Null for payloads that Parley does not use. */
export const readSlackBody = (body: unknown): ParsedBody | null => anyBody.safeParse(body).data ?? null;

/** Fields that a removal or an edit needs. A message inside an event may lack all others, even its own `ts` (WS3). */
const innerMessage = z.object({
  subtype: z.string().optional(),
  ts: z.string().optional(),
  thread_ts: z.string().optional(),
  bot_id: z.string().optional(),
});
type InnerMessage = z.output<typeof innerMessage>;

/** A deleted message. The deleted root of a continuing thread remains as an empty placeholder. */
const removal = (channel: string, message: string, before: InnerMessage | undefined) => ({
  kind: "removed" as const,
  channel,
  message,
  thread: before?.thread_ts ?? null,
  /** Bot id (`B…`) of the deleted message's author; null if a person wrote it or the author is unknown. */
  bot: before?.bot_id ?? null,
});

/**
 * `now`, `before`: null if Slack left out the text. Null for posts of apps, and for changes without an edit, such as link
 * previews.
 */
const edit = (
  at: string,
  { ts: message, thread_ts: thread, bot_id: bot }: InnerMessage,
  texts: EditTexts,
) => {
  const now = wholeMessage.safeParse(texts.changed).data ?? null;
  const before = wholeMessage.safeParse(texts.previous).data ?? null;
  if (message === undefined || bot !== undefined || (now !== null && now.edited === undefined)) return null;
  return { kind: "edited" as const, message, thread: thread ?? null, at, now, before };
};

interface EditTexts {
  readonly changed: unknown;
  readonly previous: unknown;
}

const wholeMessage = slackMessage.extend({ user: z.string(), text: z.string() });

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

/**
 * Returns the channel that a person is viewing; null if they view none. The entities are ordered by relevance,
 * and Slack adds kinds of entities without notice.
 */
const viewedIn = (context: unknown): string | null => {
  const { entities } = viewContext.safeParse(context).data ?? { entities: [] };
  const channels = entities.flatMap((one) => viewEntity.safeParse(one).data ?? []);
  return channels[0] ?? null;
};

const viewContext = z.object({ entities: z.array(z.unknown()) });
const viewEntity = z.discriminatedUnion("type", [
  z
    .object({ type: z.literal("slack#/types/channel_id"), value: z.string().min(1) })
    .transform(({ value }) => value),
  z
    .object({
      type: z.literal("slack#/types/message_context"),
      value: z.object({ channel_id: z.string().min(1) }),
    })
    .transform(({ value }) => value.channel_id),
]);

/** `app_mention` has no type of its channel. */
const audienceIn = (type: string | undefined) =>
  type === undefined ? {} : { audience: type === "channel" ? ("public" as const) : ("private" as const) };

const event = z.discriminatedUnion("type", [
  slackMessage
    .extend({
      type: z.enum(["message", "app_mention"]),
      channel: z.string(),
      channel_type: z.string().optional(),
      deleted_ts: z.string().optional(),
      event_ts: z.string().optional(),
      message: z.unknown().optional(),
      previous_message: z.unknown().optional(),
    })
    .transform(({ channel, channel_type: type, deleted_ts: deleted, message: changed, ...rest }) => {
      const { previous_message: before, event_ts: at, type: name, ...message } = rest;
      const isDirect = type === "im" || channel.startsWith("D");
      if (message.subtype === "message_deleted" && deleted !== undefined)
        return removal(channel, deleted, innerMessage.safeParse(before).data);
      if (message.subtype === "message_changed") {
        const { data: inner } = innerMessage.safeParse(changed);
        if (inner === undefined) return null;
        if (inner.subtype === "tombstone" && inner.ts !== undefined) return removal(channel, inner.ts, inner);
        const edited = edit(at ?? message.ts, inner, { changed, previous: before });
        return edited && { ...edited, channel, isDirect };
      }
      // Slack repeats the mention with each edit of its message, besides the edit itself.
      if (name === "app_mention" && message.edited !== undefined) return null;
      /** Slack may send `app_mention` before it has the files and attachments of the post. */
      const isPartial = name === "app_mention";
      return { kind: "message" as const, channel, isDirect, isPartial, message, ...audienceIn(type) };
    }),
  z
    .object({
      type: z.literal("assistant_thread_started"),
      assistant_thread: z.object({
        user_id: z.string(),
        channel_id: z.string(),
        thread_ts: z.string(),
        context: z.object({ channel_id: z.string().optional() }).optional().catch(undefined),
      }),
    })
    .transform(
      ({ assistant_thread: { user_id: user, channel_id: channel, thread_ts: thread, context } }) => ({
        kind: "panel" as const,
        user,
        channel,
        thread,
        viewed: context?.channel_id ?? null,
      }),
    ),
  z
    .object({
      type: z.literal("app_home_opened"),
      user: z.string(),
      channel: z.string(),
      tab: z.enum(["home", "messages"]).catch("messages"),
      context: z.unknown().optional(),
      event_ts: z.string(),
    })
    .transform(({ user, channel, tab, context, event_ts: at }) => ({
      kind: "opened" as const,
      user,
      channel,
      tab,
      viewed: viewedIn(context),
      at,
    })),
  /** The reference page shows this event without a person, a channel and a time; the SDK declares all three. */
  z
    .object({
      type: z.literal("app_context_changed"),
      user: z.string().optional(),
      channel: z.string().optional(),
      context: z.unknown().optional(),
      event_ts: z.string().optional(),
    })
    .transform(({ user = null, channel = null, context, event_ts: at = "" }) => ({
      kind: "context" as const,
      user,
      channel,
      viewed: viewedIn(context),
      at,
    })),
  z
    .object({
      type: z.enum(["reaction_added", "reaction_removed"]),
      user: z.string(),
      reaction: z.string(),
      event_ts: z.string(),
      item: z.object({ type: z.literal("message"), channel: z.string(), ts: z.string() }),
    })
    .transform(({ type, user, reaction: name, item: { channel, ts: message }, event_ts: at }) => ({
      kind: "reaction" as const,
      isAdded: type === "reaction_added",
      user,
      channel,
      message,
      name,
      at,
    })),
  /** The bot was added (again), or the channel was unarchived. */
  z
    .object({ type: z.enum(["channel_unarchive", "group_unarchive"]), channel: z.string() })
    .transform(({ channel }) => ({ kind: "reopened" as const, channel, user: null })),
  z
    .object({ type: z.literal("member_joined_channel"), user: z.string(), channel: z.string() })
    .transform(({ channel, user }) => ({ kind: "reopened" as const, channel, user })),
  z
    .object({ type: z.enum(["channel_rename", "group_rename"]), channel: z.object({ id: z.string() }) })
    .transform(({ channel: { id: channel } }) => ({ kind: "renamed" as const, channel })),
  z
    .object({ type: z.literal("user_change"), user: z.object({ id: z.string() }) })
    .transform(({ user: { id: user } }) => ({ kind: "personChanged" as const, user })),
  /** A public channel; Slack sends no event for private ones. */
  z
    .object({
      type: z.literal("channel_created"),
      channel: z.object({ id: z.string(), name: z.string() }),
    })
    .transform(({ channel: { id: channel, name } }) => ({ kind: "created" as const, channel, name })),
  z
    .object({
      type: z.literal("channel_id_changed"),
      old_channel_id: z.string(),
      new_channel_id: z.string(),
      event_ts: z.string(),
    })
    .transform(({ old_channel_id: from, new_channel_id: to, event_ts: at }) => ({
      kind: "moved" as const,
      from,
      to,
      at,
    })),
  /** The platform's own Stop. */
  z
    .object({
      type: z.literal("agent_session_stopped"),
      user: z.string(),
      channel: z.string(),
      thread_ts: z.string(),
      event_ts: z.string(),
    })
    .transform(({ user, channel, thread_ts: root, event_ts: at }) => ({
      kind: "stopped" as const,
      user,
      channel,
      root,
      at,
    })),
]);

/** User for whom Slack sends an event. `is_bot` marks the app's own bot. */
const authorization = z.object({
  user_id: z.string().optional().catch(undefined),
  is_bot: z.boolean().optional(),
});

const anyBody = z.discriminatedUnion("type", [
  z
    .object({
      type: z.literal("event_callback"),
      event,
      event_id: z.string().optional(),
      authorizations: z.array(authorization).optional().catch(undefined),
    })
    .transform(({ event, event_id: id, authorizations = [] }) => {
      if (event?.kind !== "context") return event;
      const viewer = authorizations.find(({ is_bot: isBot }) => isBot !== true)?.user_id;
      return { ...event, user: event.user ?? viewer ?? null, at: id ?? event.at };
    }),
  z
    .object({
      type: z.literal("block_actions"),
      user: person,
      trigger_id: z.string().default(""),
      response_url: z.string().optional(),
      view: z
        .object({
          id: z.string(),
          type: z.string().default("modal"),
          private_metadata: z.string().default(""),
        })
        .optional(),
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
    })
    .transform(({ user: { id: user }, actions: [first], container, view, ...body }) => {
      if (first === undefined) return null;
      /** `at`: Slack's id of the click. */
      const { action_id: action, action_ts: at, value = "" } = first;
      if (view !== undefined) {
        const { id, type, private_metadata: metadata } = view;
        const trigger = body.trigger_id;
        if (type === "home")
          return { kind: "homePressed" as const, user, view: id, action, value, trigger, at };
        return { kind: "turned" as const, user, view: id, metadata, action, value, at };
      }
      if (!("channel_id" in container)) return null;
      return {
        kind: "action" as const,
        user,
        channel: container.channel_id,
        message: container.message_ts,
        thread: container.thread_ts ?? null,
        at,
        action,
        value: first.value ?? first.selected_option?.value ?? "",
        block: first.block_id,
        trigger: body.trigger_id,
        /** Address to delete a message that only this person sees; null for any other message. */
        alone: container.is_ephemeral ? (body.response_url ?? null) : null,
      };
    }),
  z
    .object({
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
    })
    .transform(({ user, view: { id: view, callback_id: form, private_metadata: metadata, state } }) => ({
      kind: "submitted" as const,
      user: user.id,
      view,
      form,
      metadata,
      /** Values by block. */
      values: Object.fromEntries(
        Object.entries(state.values).map(([block, fields]) => [block, Object.values(fields)[0]?.value ?? ""]),
      ),
    })),
  z
    .object({
      type: z.literal("message_action"),
      user: person,
      channel: person,
      callback_id: z.string(),
      trigger_id: z.string(),
      response_url: z.string().default(""),
      message: z.object({
        ts: z.string(),
        thread_ts: z.string().optional(),
        blocks: z.unknown().optional(),
      }),
    })
    .transform(({ user, channel, callback_id: name, trigger_id: trigger, message, ...body }) => ({
      kind: "shortcut" as const,
      user: user.id,
      channel: channel.id,
      message: message.ts,
      thread: message.thread_ts ?? null,
      name,
      trigger,
      responseUrl: body.response_url,
      /** Value of the message's Steps button; null if it has none. */
      steps: stepsIn(message.blocks),
    })),
  z
    .object({
      type: z.undefined().optional(),
      command: z.string(),
      text: z.string().default(""),
      user_id: z.string(),
      channel_id: z.string(),
      trigger_id: z.string(),
      response_url: z.string().default(""),
    })
    .transform(({ user_id: user, channel_id: channel, text, trigger_id: trigger, response_url }) => ({
      kind: "command" as const,
      user,
      channel,
      text,
      trigger,
      responseUrl: response_url,
    })),
]);

export type ParsedBody = Exclude<z.output<typeof anyBody>, null>;
type Of<Kind extends ParsedBody["kind"]> = Extract<ParsedBody, { readonly kind: Kind }>;
export type ReceivedMessage = Of<"message">;
export type Removal = Of<"removed">;
export type SlackEdit = Of<"edited">;
export type SlackAction = Of<"action">;
export type PageTurn = Of<"turned">;
export type HomePress = Of<"homePressed">;
export type Gesture = Of<"reaction">;
export type SessionStop = Of<"stopped">;
export type Panel = Of<"panel">;
export type AppOpened = Of<"opened">;
export type ViewChanged = Of<"context">;
export type Submitted = Of<"submitted">;
export type Shortcut = Of<"shortcut">;
