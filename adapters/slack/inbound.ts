/**
 * What Slack sends, read: which of it is kept before it is acknowledged, and what it says. Pure.
 *
 * Edits, unfurls, deletions and what bots write are nobody's input (design.md 4). One post that mentions the bot
 * comes as two events: both have the post's own id here.
 */

import * as z from "zod";
import type { Arrival, Said } from "../../src/runtime/ports-chat.ts";
import type { Identity } from "./identity.ts";
import { mentions, plainText } from "./mrkdwn.ts";
import { filesOf, shownOf, type SlackMessage, slackMessage } from "./wire.ts";

export interface Ears {
  readonly self: Identity;
  /** The thread is a conversation's. */
  readonly knows: (place: string, root: string) => boolean;
  /** The message only stops: it does not wait behind others. */
  readonly stops: (text: string) => boolean;
}

/** Null for what needs no handling: it is acknowledged and forgotten. */
export const admit = (body: unknown, ears: Ears): Arrival | null => {
  const read = readBody(body);
  switch (read?.kind) {
    case undefined:
      return null;
    case "message":
      return admitMessage(body, read, ears);
    case "panel":
      return { id: `panel/${read.channel}/${read.thread}`, lane: `panel/${read.user}`, body };
    case "action": {
      const { user, at, action } = read;
      return { id: `action/${user}/${at}/${action}`, lane: `action/${user}/${at}`, body };
    }
  }
};

const admitMessage = (body: unknown, heard: HeardMessage, { self, knows, stops }: Ears): Arrival | null => {
  const said = saidOf(heard, self);
  if (said === null) return null;
  const root = said.root ?? said.message;
  if (!said.addressed && !knows(said.place, root)) return null;
  const lane = stops(said.text) ? `stop/${said.id}` : `${said.place}/${root}`;
  return { id: said.id, lane, body };
};

/** What a message says; null where no person of interest wrote it. */
export const saidOf = ({ channel, isDirect, message }: HeardMessage, self: Identity): Said | null => {
  const { user, bot_id: bot, ts } = message;
  if (user === undefined || user === self.user || bot !== undefined || !isPlain(message)) return null;
  const files = filesOf(message);
  const shown = shownOf(message);
  const text = plainText(message.text, self.user);
  const isMention = mentions(message.text, self.user);
  if (text === "" && files.length === 0 && shown.length === 0 && !isMention) return null;
  const thread = message.thread_ts;
  return {
    id: `message/${self.team}/${channel}/${ts}`,
    place: channel,
    root: thread === undefined || thread === ts ? null : thread,
    direct: isDirect,
    message: ts,
    person: user,
    text,
    addressed: isMention || isDirect,
    files,
    shown,
  };
};

const PLAIN: readonly (string | undefined)[] = [undefined, "file_share", "thread_broadcast", "me_message"];
const isPlain = ({ subtype }: SlackMessage): boolean => PLAIN.includes(subtype);

export interface HeardMessage {
  readonly kind: "message";
  readonly channel: string;
  readonly isDirect: boolean;
  readonly message: SlackMessage;
}

export type Read =
  | HeardMessage
  | { readonly kind: "panel"; readonly user: string; readonly channel: string; readonly thread: string }
  | Pressed;

export interface Pressed {
  readonly kind: "action";
  readonly user: string;
  readonly channel: string;
  /** The message that carries what was pressed, and the thread that it is in. */
  readonly message: string;
  readonly thread: string | null;
  /** `action_ts`: Slack's name of the click. */
  readonly at: string;
  /** The app's own name of the button. */
  readonly action: string;
  readonly value: string;
  readonly block: string;
}

/** Every platform detail ends here. */
export const readBody = (body: unknown): Read | null => {
  const event = callback.safeParse(body);
  if (event.success) return readEvent(event.data.event);
  const action = blockActions.safeParse(body);
  return action.success ? readAction(action.data) : null;
};

const readEvent = (event: unknown): Read | null => {
  const panel = panelEvent.safeParse(event);
  if (panel.success) {
    const { user_id: user, channel_id: channel, thread_ts: thread } = panel.data.assistant_thread;
    return { kind: "panel", user, channel, thread };
  }
  const said = messageEvent.safeParse(event);
  if (!said.success) return null;
  const { channel, channel_type: type, ...message } = said.data;
  return { kind: "message", channel, isDirect: type === "im" || channel.startsWith("D"), message };
};

const readAction = ({ user, actions, container }: z.output<typeof blockActions>): Pressed | null => {
  const [first] = actions;
  if (first === undefined) return null;
  return {
    kind: "action",
    user: user.id,
    channel: container.channel_id,
    message: container.message_ts,
    thread: container.thread_ts ?? null,
    at: first.action_ts,
    action: first.action_id,
    value: first.value ?? first.selected_option?.value ?? "",
    block: first.block_id,
  };
};

const callback = z.object({ type: z.literal("event_callback"), event: z.unknown() });
const messageEvent = slackMessage.extend({
  type: z.enum(["message", "app_mention"]),
  channel: z.string(),
  channel_type: z.string().optional(),
});
const panelEvent = z.object({
  type: z.literal("assistant_thread_started"),
  assistant_thread: z.object({ user_id: z.string(), channel_id: z.string(), thread_ts: z.string() }),
});
const blockActions = z.object({
  type: z.literal("block_actions"),
  user: z.object({ id: z.string() }),
  container: z.object({
    channel_id: z.string(),
    message_ts: z.string(),
    thread_ts: z.string().optional(),
  }),
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
