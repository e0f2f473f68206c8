/** What the app is told of: which intent an event takes, who sees it, and what of a message stays hidden without the intent. */

import { GatewayIntentBits as Intent } from "discord.js";
import { can } from "./rules/access.ts";
import type { Discord } from "./discord.ts";
import {
  bareMemberWire,
  channelWire,
  emojiWire,
  iso,
  memberWire,
  messageWire,
  nonceWire,
  userWire,
} from "./wire.ts";
import type { AnyChannel, Guild, Json, Message, Thread } from "./world.ts";

export const tellMessage = (
  discord: Discord,
  type: "MESSAGE_CREATE" | "MESSAGE_UPDATE",
  message: Message,
): void => {
  const channel = seen(discord, message.channel);
  if (channel === undefined || message.onlyFor !== null) return;
  discord.dispatch({
    type,
    guild: channel.guild,
    intent: channel.guild === null ? Intent.DirectMessages : Intent.GuildMessages,
    data: (intents) =>
      partly(discord, type, {
        ...messageWire(discord.world, message, discord.baseUrl),
        ...(showsContent(discord, channel, message, intents) ? {} : hidden),
        ...(type === "MESSAGE_CREATE" ? nonceWire(message) : {}),
        ...authorOf(discord, channel, message),
        channel_type: channelWire(discord.world, channel)["type"],
      }),
  });
};

/** The reference promises of an update the message's id and channel alone. */
const partly = ({ partialUpdates }: Discord, type: string, whole: Json): Json => {
  if (!partialUpdates || type !== "MESSAGE_UPDATE") return whole;
  const kept = ["id", "channel_id", "guild_id", "edited_timestamp", "embeds", "pinned", "flags"];
  return Object.fromEntries(Object.entries(whole).filter(([key]) => kept.includes(key)));
};

export const tellDeleted = (discord: Discord, channelId: string, ids: readonly string[]): void => {
  const channel = seen(discord, channelId);
  if (channel === undefined) return;
  const guild = channel.guild === null ? {} : { guild_id: channel.guild };
  const [id] = ids;
  discord.dispatch({
    type: ids.length === 1 ? "MESSAGE_DELETE" : "MESSAGE_DELETE_BULK",
    guild: channel.guild,
    intent: channel.guild === null ? Intent.DirectMessages : Intent.GuildMessages,
    data: () => ({ channel_id: channelId, ...guild, ...(ids.length === 1 ? { id } : { ids }) }),
  });
};

export const tellReaction = (
  discord: Discord,
  type: "MESSAGE_REACTION_ADD" | "MESSAGE_REACTION_REMOVE",
  message: Message,
  user: string,
  name: string,
  isBurst: boolean,
): void => {
  const channel = seen(discord, message.channel);
  if (channel === undefined) return;
  discord.dispatch({
    type,
    guild: channel.guild,
    intent: channel.guild === null ? Intent.DirectMessageReactions : Intent.GuildMessageReactions,
    data: () => ({
      user_id: user,
      channel_id: channel.id,
      message_id: message.id,
      emoji: emojiWire(name),
      burst: isBurst,
      type: isBurst ? 1 : 0,
      ...(channel.guild === null ? {} : { guild_id: channel.guild }),
      ...(type === "MESSAGE_REACTION_ADD" ? addedOf(discord, channel, message, user, isBurst) : {}),
    }),
  });
};

/** An event of an added reaction has more than that of a removed one. */
const addedOf = (
  { world }: Discord,
  { guild }: AnyChannel,
  { author }: Message,
  user: string,
  isBurst: boolean,
): Json => {
  const member = guild === null ? undefined : world.guilds.get(guild)?.members.get(user);
  return {
    message_author_id: author,
    ...(isBurst ? { burst_colors: ["#4a90e2", "#f5a623"] } : {}),
    ...(member === undefined ? {} : { member: memberWire(world, member) }),
  };
};

/** `name`: null for all emoji of the message. */
export const tellCleared = (discord: Discord, message: Message, name: string | null): void => {
  const channel = seen(discord, message.channel);
  if (channel === undefined) return;
  discord.dispatch({
    type: name === null ? "MESSAGE_REACTION_REMOVE_ALL" : "MESSAGE_REACTION_REMOVE_EMOJI",
    guild: channel.guild,
    intent: channel.guild === null ? Intent.DirectMessageReactions : Intent.GuildMessageReactions,
    data: () => ({
      channel_id: channel.id,
      message_id: message.id,
      ...(name === null ? {} : { emoji: emojiWire(name) }),
      ...(channel.guild === null ? {} : { guild_id: channel.guild }),
    }),
  });
};

export const tellChannel = (
  discord: Discord,
  type:
    | "CHANNEL_CREATE"
    | "CHANNEL_UPDATE"
    | "CHANNEL_DELETE"
    | "THREAD_CREATE"
    | "THREAD_UPDATE"
    | "THREAD_DELETE",
  channel: AnyChannel,
  more: Json = {},
): void => {
  if (!can(discord, discord.world.app.bot, channel, "ViewChannel")) return;
  discord.dispatch({
    type,
    guild: channel.guild,
    intent: Intent.Guilds,
    data: () => ({ ...channelWire(discord.world, channel), ...more }),
  });
};

export const tellThreadMembers = (
  discord: Discord,
  thread: Thread,
  added: readonly string[],
  removed: readonly string[],
): void => {
  if (!can(discord, discord.world.app.bot, thread, "ViewChannel")) return;
  discord.dispatch({
    type: "THREAD_MEMBERS_UPDATE",
    guild: thread.guild,
    intent: Intent.Guilds,
    data: () => ({
      id: thread.id,
      guild_id: thread.guild,
      member_count: thread.members.size,
      added_members: added.map((user) => ({
        id: thread.id,
        user_id: user,
        join_timestamp: iso(discord.clock.now()),
        flags: 0,
      })),
      removed_member_ids: removed,
    }),
  });
};

/** Something that happened in a guild and in none of its channels. */
export const tellGuild = (discord: Discord, type: string, guild: Guild, intent: number, data: Json): void =>
  discord.dispatch({ type, guild: guild.id, intent, data: () => ({ guild_id: guild.id, ...data }) });

const seen = ({ world, clock }: Discord, id: string): AnyChannel | undefined => {
  const channel = world.channels.get(id);
  return channel !== undefined && can({ world, clock }, world.app.bot, channel, "ViewChannel")
    ? channel
    : undefined;
};

const hidden: Json = { content: "", embeds: [], attachments: [], components: [] };

/** Without the intent: its own messages, direct ones and those that mention it. */
const showsContent = (
  { world }: Discord,
  { guild }: AnyChannel,
  message: Message,
  intents: number,
): boolean =>
  (intents & Intent.MessageContent) !== 0 ||
  guild === null ||
  message.author === world.app.bot ||
  message.mentions.users.includes(world.app.bot);

const authorOf = ({ world }: Discord, { guild }: AnyChannel, { author, mentions }: Message): Json => {
  if (guild === null) return {};
  const members = world.guilds.get(guild)?.members;
  const member = members?.get(author);
  return {
    guild_id: guild,
    ...(member === undefined ? {} : { member: bareMemberWire(member) }),
    mentions: mentions.users.flatMap((id) => {
      const user = world.users.get(id);
      const mentioned = members?.get(id);
      return user === undefined
        ? []
        : [{ ...userWire(user), ...(mentioned === undefined ? {} : { member: bareMemberWire(mentioned) }) }];
    }),
  };
};
