/** What changes a channel, whoever does it, and the event that tells the app of it. */

import { can } from "../rules/access.ts";
import { HAS_THREAD, SUPPRESS_EMBEDS, numbered } from "../content.ts";
import type { Discord } from "../discord.ts";
import {
  tellChannel,
  tellDeleted,
  tellCleared,
  tellMessage,
  tellReaction,
  tellThreadMembers,
} from "../events.ts";
import { type Pinging, mentionsOf } from "../rules/mentions.ts";
import { threadMemberWire } from "../wire.ts";
import { type AnyChannel, blankMessage, type Json, type Message, type Thread } from "../world.ts";

export type NewMessage = Partial<Omit<Message, "channel" | "author" | "mentions">> &
  Pick<Message, "channel" | "author"> & { readonly allowedMentions?: unknown };

/** Puts a new message into its channel: an archived thread opens, its author joins it, links get their preview. */
export const post = (discord: Discord, { allowedMentions, ...given }: NewMessage): Message => {
  const made: Message = {
    ...blankMessage,
    ...given,
    id: given.id ?? discord.world.nextId(),
    components: numbered(given.components ?? []),
    mentions: mentionsOf(pinging(discord, { ...given, allowedMentions })),
  };
  discord.world.put(made);
  if (made.onlyFor === null) enliven(discord, made);
  tellMessage(discord, "MESSAGE_CREATE", made);
  unfurl(discord, made);
  return made;
};

/** Puts `after` in the place of `before`. */
export const change = (discord: Discord, after: Message): Message => {
  const made = { ...after, components: numbered(after.components) };
  discord.world.put(made);
  tellMessage(discord, "MESSAGE_UPDATE", made);
  return made;
};

/** An author's own edit: Discord works out anew whom it mentions, and pings nobody. */
export const edit = (discord: Discord, before: Message, content: string, parts: Json): Message => {
  const after = { ...before, content, parts, editedAt: discord.clock.now() };
  return change(discord, { ...after, mentions: mentionsOf(pinging(discord, after)) });
};

export const remove = (discord: Discord, messages: readonly Message[]): void => {
  for (const message of messages) discord.world.remove(message);
  const [first] = messages;
  if (first !== undefined && first.onlyFor === null)
    tellDeleted(
      discord,
      first.channel,
      messages.map(({ id }) => id),
    );
};

/** False when that person had already reacted so. */
export const react = (
  discord: Discord,
  message: Message,
  user: string,
  name: string,
  isBurst = false,
): boolean => {
  const users = message.reactions.get(name) ?? new Set<string>();
  if (users.has(user)) return false;
  discord.world.put({
    ...message,
    reactions: new Map([...message.reactions, [name, new Set([...users, user])]]),
  });
  tellReaction(discord, "MESSAGE_REACTION_ADD", message, user, name, isBurst);
  return true;
};

/** False when there was no such reaction. */
export const unreact = (discord: Discord, message: Message, user: string, name: string): boolean => {
  const users = message.reactions.get(name) ?? new Set<string>();
  if (!users.has(user)) return false;
  const rest = new Set([...users].filter((one) => one !== user));
  discord.world.put({ ...message, reactions: new Map([...message.reactions, [name, rest]]) });
  tellReaction(discord, "MESSAGE_REACTION_REMOVE", message, user, name, false);
  return true;
};

/** A moderator removes all reactions, or all of one emoji. */
export const clearReactions = (discord: Discord, message: Message, name: string | null): void => {
  const kept = [...message.reactions].filter(([one]) => name !== null && one !== name);
  discord.world.put({ ...message, reactions: new Map(kept) });
  tellCleared(discord, message, name);
};

export interface NewThread {
  readonly parent: AnyChannel & { readonly guild: string };
  readonly name: string;
  readonly owner: string;
  /** The message that it hangs on; null for a thread of its own. */
  readonly from: Message | null;
  readonly isPrivate: boolean;
  readonly isInvitable?: boolean;
  readonly autoArchiveMinutes: number;
  readonly tags?: readonly string[];
}

/** A thread takes the id of the message that it hangs on. */
export const openThread = (discord: Discord, { parent, from, ...given }: NewThread): Thread => {
  const now = discord.clock.now();
  const thread: Thread = {
    isInvitable: true,
    tags: [],
    ...given,
    id: from?.id ?? discord.world.nextId(),
    kind: "thread",
    guild: parent.guild,
    parent: parent.id,
    archived: false,
    archivedAt: now,
    locked: false,
    lastActiveAt: now,
    members: new Map([[given.owner, now]]),
    messageCount: 0,
  };
  discord.world.putChannel(thread);
  const isOurs = given.owner === discord.world.app.bot;
  tellChannel(discord, "THREAD_CREATE", thread, {
    newly_created: true,
    ...(isOurs ? { member: threadMemberWire(thread, given.owner) } : {}),
  });
  scheduleArchive(discord, thread.id);
  if (from !== null) {
    change(discord, { ...from, flags: from.flags | HAS_THREAD });
    post(discord, {
      channel: thread.id,
      author: given.owner,
      type: 21,
      reference: { channel: parent.id, message: from.id },
    });
  } else if (parent.kind === "text" && !given.isPrivate) {
    post(discord, {
      channel: parent.id,
      author: given.owner,
      type: 18,
      content: given.name,
      reference: null,
    });
  }
  return thread;
};

/** `by`: who does it; a new name stands in the thread as theirs. */
export const changeThread = (
  discord: Discord,
  before: Thread,
  after: Thread,
  by = discord.world.app.bot,
): Thread => {
  const isFlipped = before.archived !== after.archived;
  const made = isFlipped
    ? { ...after, archivedAt: discord.clock.now(), lastActiveAt: discord.clock.now() }
    : after;
  discord.world.putChannel(made);
  tellChannel(discord, "THREAD_UPDATE", made);
  if (!made.archived) scheduleArchive(discord, made.id);
  if (made.name !== before.name) {
    post(discord, { channel: made.id, author: by, type: 4, content: made.name, reference: null });
  }
  return made;
};

export const joinThread = (discord: Discord, thread: Thread, user: string): Thread => {
  if (thread.members.has(user)) return thread;
  const made = { ...thread, members: new Map([...thread.members, [user, discord.clock.now()]]) };
  discord.world.putChannel(made);
  if (user === discord.world.app.bot) {
    tellChannel(discord, "THREAD_CREATE", made, { member: threadMemberWire(made, user) });
  }
  tellThreadMembers(discord, made, [user], []);
  return made;
};

export const leaveThread = (discord: Discord, thread: Thread, user: string): void => {
  const made = { ...thread, members: new Map([...thread.members].filter(([id]) => id !== user)) };
  tellThreadMembers(discord, made, [], [user]);
  discord.world.putChannel(made);
};

/** With a channel go its threads, and no event names them (WD6). */
export const removeChannel = (discord: Discord, channel: AnyChannel): void => {
  for (const one of discord.world.channels.values()) {
    if (one.kind === "thread" && one.parent === channel.id) discord.world.removeChannel(one);
  }
  tellChannel(discord, channel.kind === "thread" ? "THREAD_DELETE" : "CHANNEL_DELETE", channel);
  discord.world.removeChannel(channel);
};

const pinging = (discord: Discord, given: NewMessage): Pinging => {
  const { world } = discord;
  const channel = world.channels.get(given.channel);
  const reference = given.type === 19 ? given.reference : null;
  return {
    content: given.content ?? "",
    components: given.components ?? [],
    allowed: given.allowedMentions,
    mayMentionEveryone:
      channel !== undefined &&
      channel.guild !== null &&
      can(discord, given.author, channel, "MentionEveryone"),
    repliedTo:
      reference === null || reference === undefined
        ? null
        : (world.message(reference.channel, reference.message)?.author ?? null),
  };
};

const enliven = (discord: Discord, message: Message): void => {
  const thread = discord.world.channels.get(message.channel);
  if (thread?.kind !== "thread") return;
  const joined = joinThread(discord, thread, message.author);
  const after: Thread = {
    ...joined,
    lastActiveAt: discord.clock.now(),
    messageCount: joined.messageCount + 1,
  };
  if (after.archived) changeThread(discord, after, { ...after, archived: false });
  else discord.world.putChannel(after);
};

/** An idle thread is archived by itself. */
const scheduleArchive = (discord: Discord, id: string): void => {
  const thread = discord.world.channels.get(id);
  if (thread?.kind !== "thread" || thread.archived) return;
  const due = thread.lastActiveAt + thread.autoArchiveMinutes * 60_000;
  if (discord.clock.now() >= due) changeThread(discord, thread, { ...thread, archived: true });
  else discord.clock.after(due - discord.clock.now(), () => scheduleArchive(discord, id));
};

/** Discord adds previews of links a moment later, as a change of the message. */
const unfurl = (discord: Discord, message: Message): void => {
  const url = /https?:\/\/[^\s<>]+/.exec(message.content.replaceAll(/<https?:[^>]*>/g, ""))?.[0];
  const channel = discord.world.channels.get(message.channel);
  if (url === undefined || channel === undefined || (message.flags & SUPPRESS_EMBEDS) !== 0) return;
  if (!can(discord, message.author, channel, "EmbedLinks")) return;
  discord.clock.after(200, () => {
    const now = discord.world.message(message.channel, message.id);
    if (now !== undefined && now.embeds.length === 0 && (now.flags & SUPPRESS_EMBEDS) === 0) {
      change(discord, { ...now, embeds: [{ type: "link", url, title: "preview" }] });
    }
  });
};
