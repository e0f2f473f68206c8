/**
 * Decides which gateway events are stored, and reads messages from them. Pure. Posts of bots and webhooks are
 * ignored (docs/design/ideas.md), except posts of an app that a feature watches. A deletion removes the earlier
 * message.
 */

import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { InboundEvent, ChatMessage } from "../../../src/ports/chat.ts";
import type { ChatInbox } from "../../../src/ports/connection.ts";
import { ANY_EMOJI, heardEmoji, reactionLane, withdrawalId } from "../../../src/ports/reactions.ts";
import { emojiKey } from "../../../src/text/emoji.ts";
import type { Channels } from "../read/channels.ts";
import { withIdSchema } from "../read/hearing.ts";
import { discordAppPostOf } from "./posted.ts";
import { type Interaction, readInteraction } from "../read/read.ts";
import type { ThreadLocation } from "../read/threads.ts";
import {
  type DiscordMessage,
  discordMessage,
  discordFilesOf,
  member,
  millisOfSnowflake,
  repliedOf,
  discordContentOf,
  textOf,
} from "../read/message.ts";
import { typedOf, user } from "../read/visible.ts";
import type { DiscordNames } from "../read/plain.ts";

export interface DiscordInboundContext
  extends Pick<ChatInbox, "knows" | "hears" | "sees" | "keeps" | "stops">,
    Pick<Channels, "isForum"> {
  readonly names: DiscordNames;
  /** Channel of an open thread; null if the id is no known thread. */
  readonly parent: (channel: string) => string | null;
  /** Whether new posts of the forum are answered without a mention. */
  readonly answers: (place: string) => boolean;
  readonly isOurs: (message: string) => boolean;
}

/** Null if the event needs no handling. */
export const admitDispatch = (
  type: string,
  data: unknown,
  ears: DiscordInboundContext,
): InboundEvent | null => {
  switch (type) {
    case "MESSAGE_CREATE":
      return admitMessage(data, ears);
    case "INTERACTION_CREATE": {
      const one = readInteraction(data);
      return one === null
        ? null
        : { id: `interaction/${one.id}`, lane: laneOf(one), body: bodyOf(type, data) };
    }
    case "MESSAGE_UPDATE":
      return admitEdit(data, ears);
    case "MESSAGE_DELETE":
    case "MESSAGE_DELETE_BULK":
    case "THREAD_DELETE":
      return admitRemoval(type, data, ears);
    case ADDED:
      return admitReaction(data, ears);
    case "MESSAGE_REACTION_REMOVE":
    case "MESSAGE_REACTION_REMOVE_ALL":
    case "MESSAGE_REACTION_REMOVE_EMOJI":
      return admitWithdrawal(type, data, ears);
    default:
      return null;
  }
};

const admitReaction = (data: unknown, ears: DiscordInboundContext): InboundEvent | null => {
  const read = discordReaction.safeParse(data).data;
  if (read === undefined || read.member?.user?.bot === true || ears.names.isSelf(read.user_id)) return null;
  const { channel_id: channel, message_id: message, user_id: person } = read;
  const emoji = keyOf(read.emoji);
  if (emoji === null || !ears.hears(placeAt(channel, ears), [heardEmoji(emoji)])) return null;
  return {
    // Discord does not number reactions. An emoji that was removed and added again counts anew.
    id: `reaction/${channel}/${message}/${emoji}/${person}/${randomUUID()}`,
    lane: reactionLane({ channel, message }),
    body: bodyOf(ADDED, data),
    insist: true,
  };
};

/** One person's reaction, all of one emoji, or all of a message. */
const admitWithdrawal = (type: string, data: unknown, ears: DiscordInboundContext): InboundEvent | null => {
  const read = withdrawal.safeParse(data).data;
  const emoji = read?.emoji === undefined ? null : keyOf(read.emoji);
  if (read === undefined || (read.emoji !== undefined && emoji === null)) return null;
  const { channel_id: channel, message_id: message, user_id: person = null } = read;
  const place = placeAt(channel, ears);
  if (!ears.hears(place, [emoji === null ? ANY_EMOJI : heardEmoji(emoji)])) return null;
  return {
    id: withdrawalId({ channel, message }, emoji, person, randomUUID()),
    lane: reactionLane({ channel, message }),
    body: bodyOf(type, data),
    insist: true,
  };
};

const placeAt = (channel: string, { parent }: Pick<DiscordInboundContext, "parent">): string =>
  parent(channel) ?? channel;

/** The client of a super reaction sends the same emoji, with `burst`. */
const keyOf = ({ id, name }: z.output<typeof reactedEmoji>): string | null => emojiKey(id ?? name ?? "");

const ADDED = "MESSAGE_REACTION_ADD";

/** Without a name, the server has removed the custom emoji. */
const reactedEmoji = z.object({ id: z.string().nullable(), name: z.string().nullable() });

const reactionPlace = z.object({
  channel_id: z.string(),
  message_id: z.string(),
  guild_id: z.string().optional(),
});

const discordReaction = reactionPlace.extend({
  user_id: z.string(),
  emoji: reactedEmoji,
  member: member.extend({ user: user.optional() }).optional(),
});
export type DiscordReaction = z.output<typeof discordReaction> & { readonly key: string };

const withdrawal = reactionPlace.extend({
  user_id: z.string().optional(),
  emoji: reactedEmoji.optional(),
});

/** All ratings of an answer by a person share a lane, so the last click counts. */
const laneOf = (one: Interaction): string =>
  one.kind === "press" && one.name.startsWith("thumb_")
    ? `thumbs/${one.person}/${one.message}`
    : `interaction/${one.id}`;

/** Uses the lane of the conversation, so that the deletion is handled after the message itself. */
const admitRemoval = (
  type: string,
  data: unknown,
  { parent, knows, keeps, isOurs }: DiscordInboundContext,
): InboundEvent | null => {
  const gone = removedOf(type, data);
  if (gone === null || (gone.ids.length > 0 && gone.ids.every(isOurs))) return null;
  const known = spotsOf(gone, parent(gone.channel)).find(
    ({ place, root }) => knows(place, root) || keeps(place, root),
  );
  return known === undefined
    ? null
    : {
        id: `removed/${gone.channel}/${gone.ids[0] ?? ""}`,
        lane: `${known.place}/${known.root}`,
        body: bodyOf(type, data),
        insist: true,
      };
};

/** Deleted messages of one channel or thread. No ids: the thread itself was deleted. */
export interface DeletedMessages {
  readonly channel: string;
  readonly direct: boolean;
  readonly ids: readonly string[];
}

/**
 * Returns the threads that the messages belong to or start. `parent`: the thread's channel, null for a
 * channel.
 */
export const spotsOf = (
  { channel, direct, ids }: DeletedMessages,
  parent: string | null,
): readonly { readonly place: string; readonly root: string; readonly ids: readonly string[] }[] => {
  if (direct) return [{ place: channel, root: channel, ids }];
  return parent === null
    ? ids.map((id) => ({ place: channel, root: id, ids: [id] }))
    : [{ place: parent, root: channel, ids }];
};

const removedOf = (type: string, data: unknown): DeletedMessages | null => {
  if (type === "THREAD_DELETE") {
    const read = withIdSchema.safeParse(data);
    return read.success ? { channel: read.data.id, direct: false, ids: [] } : null;
  }
  const read = removal.safeParse(data);
  if (!read.success) return null;
  const { channel_id: channel, guild_id: guild, id, ids } = read.data;
  return { channel, direct: guild === undefined, ids: ids ?? (id === undefined ? [] : [id]) };
};

const removal = z.object({
  channel_id: z.string(),
  guild_id: z.string().optional(),
  id: z.string().optional(),
  ids: z.array(z.string()).optional(),
});

const admitMessage = (data: unknown, ears: DiscordInboundContext): InboundEvent | null => {
  const { parent, knows, stops } = ears;
  const read = discordMessage.safeParse(data);
  if (!read.success) return null;
  const message = read.data;
  const place = parent(message.channel_id);
  const spot = placeOf(message, place);
  const said = discordMessageOf(message, spot, ears);
  if (said === null) return admitPost(message, spot, data, ears);
  const isOurs = said.addressed || knows(spot.place, spot.root ?? "");
  if (!isOurs && (message.type !== PLAIN || !isWatched(said, ears))) return null;
  const id = said.id;
  const lane = stops(said.text) ? `stop/${id}` : `${spot.place}/${spot.root ?? said.message}`;
  return { id, lane, body: bodyOf("MESSAGE_CREATE", data), insist: true };
};

/** The first message of a forum's post has the post's id. */
const isWatched = (
  { root, message, direct, place, person, toBot }: ChatMessage,
  { sees }: Pick<DiscordInboundContext, "sees">,
): boolean => !direct && toBot === undefined && (root === null || root === message) && sees(place, person);

/**
 * Discord also sends an update for previews, pins, flags and threads: then the time of the last edit, and so the id,
 * is the same, or there is none. Uses the lane of the conversation, so that the edit is handled after the message.
 */
const admitEdit = (data: unknown, ears: DiscordInboundContext): InboundEvent | null => {
  const edit = updated.safeParse(data).data;
  if (edit === undefined) return null;
  const { id: message, channel_id: channel, guild_id: guild, edited_timestamp: at } = edit;
  const spot = placeOf({ channel_id: channel, guild_id: guild }, ears.parent(channel));
  const root = spot.root ?? message;
  const whole = discordMessage.safeParse(data).data;
  const said = whole === undefined ? null : discordMessageOf(whole, spot, ears);
  if (whole !== undefined && said === null) return null;
  if (said?.addressed !== true && !ears.knows(spot.place, root)) return null;
  const id = `edited/${channel}/${message}/${at}`;
  const lane = said !== null && ears.stops(said.text) ? `stop/${id}` : `${spot.place}/${root}`;
  return { id, lane, body: bodyOf("MESSAGE_UPDATE", data), insist: true };
};

/** An update may contain only some fields of its message. */
const updated = z.object({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  edited_timestamp: z.string(),
});
export type DiscordEdit = z.output<typeof updated>;

const admitPost = (
  message: DiscordMessage,
  spot: ThreadLocation,
  data: unknown,
  ears: DiscordInboundContext,
): InboundEvent | null => {
  const posted = discordAppPostOf(message, spot, ears.names);
  if (posted === null || !ears.hears(posted.place, posted.by)) return null;
  const id = `message/${message.channel_id}/${message.id}`;
  return { id, lane: `${posted.place}/${message.id}`, body: bodyOf("MESSAGE_CREATE", data), insist: true };
};

/** Copies the data, because the client links members and users into cycles. */
const bodyOf = (type: string, data: unknown): InboundEvent["body"] => ({ type, data: structuredClone(data) });

const placeOf = (
  { channel_id: id, guild_id: guild }: Pick<DiscordMessage, "channel_id" | "guild_id">,
  parent: string | null,
): ThreadLocation => {
  if (guild === undefined) return { place: id, root: id };
  return parent === null ? { place: id, root: null } : { place: parent, root: id };
};

/** Plain messages and replies. Joins, pins and boosts contain no message of a person. */
const PLAIN = 0;
const WORDS: readonly number[] = [PLAIN, 19];

/**
 * Returns the message of a person; null if a bot is the author, and for joins, pins and other kinds of messages.
 */
export const discordMessageOf = (
  message: DiscordMessage,
  spot: ThreadLocation,
  { names, isForum, answers }: Pick<DiscordInboundContext, "names" | "isForum" | "answers">,
): ChatMessage | null => {
  const { author, guild_id: guild, webhook_id: webhook, channel_id: channel, id } = message;
  if (author.bot || webhook !== undefined || !WORDS.includes(message.type)) return null;
  const replied = repliedOf(message, names);
  const files = [...discordFilesOf(message), ...(replied?.files ?? [])];
  const shown = [...(replied?.quotes ?? []), ...discordContentOf(message, names)];
  const text = textOf(message, names);
  const typed = typedOf(message, names);
  const direct = guild === undefined;
  const { referenced_message: answered } = message;
  const isReply = answered !== null && answered !== undefined && names.isSelf(answered.author.id);
  const isMention = mentionsBot(message, names);
  if (text === "" && files.length === 0 && shown.length === 0 && !isMention) return null;
  return {
    ...spot,
    id: `message/${channel}/${id}`,
    direct,
    message: id,
    person: author.id,
    text,
    ...(typed === text ? {} : { typed }),
    addressed: isMention || isReply || direct || (id === spot.root && answers(spot.place)),
    at: millisOfSnowflake(id),
    ...(message.mentions.some(({ id: named, bot }) => bot && !names.isSelf(named)) ? { toBot: true } : {}),
    ...(isForum(spot.place) ? { forum: true } : {}),
    files,
    shown,
    about: null,
  };
};

/** Whether the message mentions the bot or the bot's managed role. Discord's client offers both under the same name. */
export const mentionsBot = (
  { mentions: people, mention_roles: roles }: Pick<DiscordMessage, "mentions" | "mention_roles">,
  { isSelf }: Pick<DiscordNames, "isSelf">,
): boolean => people.some(({ id }) => isSelf(id)) || roles.some(isSelf);

type Kept =
  | { readonly kind: "message"; readonly message: DiscordMessage }
  | { readonly kind: "edited"; readonly edit: DiscordEdit; readonly message: DiscordMessage | null }
  | { readonly kind: "removed"; readonly gone: DeletedMessages }
  | { readonly kind: "reaction"; readonly reaction: DiscordReaction }
  | { readonly kind: "interaction"; readonly interaction: Interaction };

export const readStoredEvent = (body: unknown): Kept | null => {
  if (typeof body !== "object" || body === null || !("type" in body) || !("data" in body)) return null;
  if (body.type === "MESSAGE_CREATE") {
    const read = discordMessage.safeParse(body.data);
    return read.success ? { kind: "message", message: read.data } : null;
  }
  if (body.type === "MESSAGE_UPDATE") {
    const edit = updated.safeParse(body.data).data;
    const message = discordMessage.safeParse(body.data).data ?? null;
    return edit === undefined ? null : { kind: "edited", edit, message };
  }
  if (body.type === ADDED) {
    const reaction = discordReaction.safeParse(body.data).data;
    const key = reaction === undefined ? null : keyOf(reaction.emoji);
    return reaction === undefined || key === null
      ? null
      : { kind: "reaction", reaction: { ...reaction, key } };
  }
  // A withdrawal counts from its arrival.
  if (String(body.type).startsWith("MESSAGE_REACTION_")) return null;
  const gone = body.type === "INTERACTION_CREATE" ? null : removedOf(String(body.type), body.data);
  if (gone !== null) return { kind: "removed", gone };
  const interaction = readInteraction(body.data);
  return interaction === null ? null : { kind: "interaction", interaction };
};
