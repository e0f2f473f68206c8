/** How the world's records look in answers and dispatches. Pure. */

import { createHash } from "node:crypto";
import { timeOf } from "./ids.ts";
import { attachedName } from "./content.ts";
import type {
  AnyChannel,
  Attachment,
  Channel,
  Guild,
  Json,
  Member,
  Message,
  Role,
  Thread,
  User,
  World,
} from "./world.ts";

export const iso = (at: number): string => new Date(at).toISOString().replace("Z", "000+00:00");

export const userWire = ({ id, name, isBot }: User): Json => ({
  id,
  username: name,
  global_name: null,
  avatar: null,
  discriminator: isBot ? "0001" : "0",
  public_flags: 0,
  flags: 0,
  primary_guild: null,
  ...(isBot ? { bot: true } : {}),
});

const anybody = (world: World, id: string): Json =>
  userWire(world.users.get(id) ?? { id, name: "deleted_user", isBot: false });

/** Without the user, as dispatches carry it beside one. */
export const bareMemberWire = ({ roles, joinedAt, timeoutUntil, isPending }: Member): Json => ({
  avatar: null,
  banner: null,
  communication_disabled_until: timeoutUntil === null ? null : iso(timeoutUntil),
  flags: 0,
  joined_at: iso(joinedAt),
  nick: null,
  pending: isPending ?? false,
  premium_since: null,
  roles,
  mute: false,
  deaf: false,
});

export const memberWire = (world: World, member: Member): Json => ({
  ...bareMemberWire(member),
  user: anybody(world, member.user),
});

export const roleWire = (
  { id, name, permissions, managedFor, mentionable = false }: Role,
  position: number,
): Json => ({
  id,
  name,
  permissions: String(permissions),
  position,
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  managed: managedFor !== undefined,
  ...(managedFor === undefined ? {} : { tags: { bot_id: managedFor } }),
  mentionable,
  icon: null,
  unicode_emoji: null,
  flags: 0,
});

export const channelWire = (world: World, channel: AnyChannel): Json => {
  switch (channel.kind) {
    case "thread":
      return threadWire(world, channel);
    case "dm":
      return {
        id: channel.id,
        type: 1,
        flags: 0,
        recipients: [anybody(world, channel.recipient ?? "")],
        last_message_id: null,
      };
    case "text":
    case "voice":
    case "forum":
      return guildChannelWire(channel);
  }
};

const guildChannelWire = (channel: Channel): Json => ({
  id: channel.id,
  type: { text: 0, dm: 1, voice: 2, forum: 15 }[channel.kind],
  flags: channel.requiresTag ? 16 : 0,
  guild_id: channel.guild,
  name: channel.name,
  position: channel.position,
  parent_id: null,
  topic: null,
  nsfw: false,
  rate_limit_per_user: 0,
  permission_overwrites: channel.overwrites.map(({ id, type, allow, deny }) => ({
    id,
    type: type === "role" ? 0 : 1,
    allow: String(allow),
    deny: String(deny),
  })),
  ...(channel.kind === "forum"
    ? {
        available_tags: channel.tags.map((tag) => ({ ...tag, emoji_id: null, emoji_name: null })),
        default_reaction_emoji: null,
        default_sort_order: null,
        default_forum_layout: 0,
      }
    : { last_message_id: null }),
});

const threadWire = (world: World, thread: Thread): Json => ({
  id: thread.id,
  type: thread.isPrivate ? 12 : 11,
  flags: 0,
  guild_id: thread.guild,
  name: thread.name,
  parent_id: thread.parent,
  owner_id: thread.owner,
  last_message_id: world.messages(thread.id).at(-1)?.id ?? null,
  rate_limit_per_user: 0,
  message_count: Math.min(thread.messageCount, 50),
  member_count: Math.min(thread.members.size, 50),
  total_message_sent: thread.messageCount,
  applied_tags: thread.tags,
  thread_metadata: {
    archived: thread.archived,
    archive_timestamp: iso(thread.archivedAt),
    auto_archive_duration: thread.autoArchiveMinutes,
    locked: thread.locked,
    create_timestamp: iso(timeOf(thread.id)),
    ...(thread.isPrivate ? { invitable: thread.isInvitable } : {}),
  },
});

export const threadMemberWire = (thread: Thread, user: string): Json => ({
  id: thread.id,
  user_id: user,
  join_timestamp: iso(thread.members.get(user) ?? thread.lastActiveAt),
  flags: 0,
});

/** Milliseconds for which an attachment's address is valid. */
const ADDRESS_LIFETIME = 24 * 3_600_000;

/** The address is signed, and valid for a day from each time that Discord sends it. */
export const attachmentWire = (
  world: Pick<World, "now">,
  baseUrl: string,
  channel: string,
  { id, name, title, type, description, bytes }: Attachment,
): Json => {
  const path = `/attachments/${channel}/${id}/${encodeURIComponent(name)}`;
  const ex = seconds(world.now() + ADDRESS_LIFETIME);
  const url = `${baseUrl}${path}?ex=${ex}&is=${seconds(world.now())}&hm=${signatureOf(path, ex)}&`;
  return {
    id,
    filename: name,
    size: bytes.length,
    content_type: type,
    url,
    proxy_url: url,
    ...(title === undefined ? {} : { title }),
    ...(description === null ? {} : { description }),
  };
};

/** Whether Discord still serves the address. */
export const isServedAt = ({ now }: Pick<World, "now">, path: string, query: URLSearchParams): boolean => {
  const ex = query.get("ex") ?? "";
  return query.get("hm") === signatureOf(path, ex) && Number.parseInt(ex, 16) * 1_000 >= now();
};

const seconds = (at: number): string => Math.floor(at / 1_000).toString(16);

const signatureOf = (path: string, ex: string): string =>
  createHash("sha256").update(`${path} ${ex}`).digest("hex");

/** Of a component that shows a file of the message, where Discord serves it. */
const componentWire = (world: World, component: Json, message: Message, baseUrl: string): Json => {
  const name = attachedName(component);
  const file = message.attachments.find((one) => one.name === name);
  if (file === undefined) return component;
  const { id, url, proxy_url, size, content_type } = attachmentWire(world, baseUrl, message.channel, file);
  const media = { id, url, proxy_url, content_type, width: null, height: null, attachment_id: id };
  return { ...component, file: media, name: file.name, size, spoiler: false };
};

export const messageWire = (world: World, message: Message, baseUrl: string): Json => ({
  id: message.id,
  channel_id: message.channel,
  author: anybody(world, message.author),
  type: message.type,
  content: message.content,
  mentions: message.mentions.users.map((id) => anybody(world, id)),
  mention_roles: message.mentions.roles,
  mention_everyone: message.mentions.everyone,
  attachments: message.attachments.map((one) => attachmentWire(world, baseUrl, message.channel, one)),
  embeds: message.embeds,
  components: message.components.map((one) => componentWire(world, one, message, baseUrl)),
  timestamp: iso(timeOf(message.id)),
  edited_timestamp: message.editedAt === null ? null : iso(message.editedAt),
  flags: message.flags,
  pinned: false,
  tts: false,
  ...(message.reactions.size === 0 ? {} : { reactions: reactionsWire(world, message) }),
  ...message.parts,
  ...(message.reference === null
    ? {}
    : {
        message_reference: referenceWire(world, message),
        ...(message.type === 19 || message.type === 21 ? referencedWire(world, message, baseUrl) : {}),
      }),
  ...(message.author === world.app.bot ? { application_id: world.app.id } : {}),
  ...(message.interaction === null
    ? {}
    : { interaction_metadata: interactionWire(world, message.interaction) }),
  ...(world.channels.get(message.id)?.kind === "thread"
    ? { thread: channelWire(world, world.channelNamed(message.id)) }
    : {}),
});

/** What the answer to a creation and its dispatch add. */
export const nonceWire = ({ nonce }: Message): Json => (nonce === null ? {} : { nonce });

/** A forwarded message: no author, no id, no channel. */
export const snapshotWire = (world: World, message: Message, baseUrl: string): Json => {
  const whole = messageWire(world, message, baseUrl);
  const kept = [
    "type",
    "content",
    "embeds",
    "attachments",
    "timestamp",
    "edited_timestamp",
    "flags",
    "mentions",
    "mention_roles",
    "sticker_items",
    "components",
  ];
  return Object.fromEntries(Object.entries(whole).filter(([key]) => kept.includes(key)));
};

/** The message that is answered, or null if it was deleted. Discord nests no second one in it. */
const referencedWire = (world: World, { reference }: Message, baseUrl: string): Json => {
  const found = reference === null ? undefined : world.message(reference.channel, reference.message);
  if (found === undefined) return { referenced_message: null };
  const { referenced_message: _, ...whole } = messageWire(world, { ...found, reactions: new Map() }, baseUrl);
  return { referenced_message: whole };
};

const referenceWire = (world: World, { reference, parts }: Message): Json => {
  if (reference === null) return {};
  const guild = world.channels.get(reference.channel)?.guild;
  return {
    type: "message_snapshots" in parts ? 1 : 0,
    channel_id: reference.channel,
    message_id: reference.message,
    ...(typeof guild === "string" ? { guild_id: guild } : {}),
  };
};

const interactionWire = (world: World, { id, user, type }: NonNullable<Message["interaction"]>): Json => ({
  id,
  type,
  user: anybody(world, user),
  authorizing_integration_owners: {},
  ...(type === 3 ? { interacted_message_id: id } : {}),
});

/** `name`: a character, or a custom emoji as a message has it. */
export const emojiWire = (name: string): Json => {
  const [, animated = "", custom = "", id] = /^<(a?):(\w+):(\d+)>$/.exec(name) ?? [];
  return id === undefined ? { id: null, name } : { id, name: custom, animated: animated === "a" };
};

const reactionsWire = (world: World, { reactions }: Message): readonly Json[] =>
  [...reactions].map(([name, users]) => ({
    emoji: emojiWire(name),
    count: users.size,
    count_details: { burst: 0, normal: users.size },
    burst_colors: [],
    me_burst: false,
    burst_me: false,
    burst_count: 0,
    me: users.has(world.app.bot),
  }));

export const guildWire = (guild: Guild): Json => ({
  id: guild.id,
  name: guild.name,
  icon: null,
  description: null,
  home_header: null,
  splash: null,
  discovery_splash: null,
  features: ["COMMUNITY"],
  banner: null,
  owner_id: guild.owner,
  application_id: null,
  region: "deprecated",
  afk_channel_id: null,
  afk_timeout: 300,
  system_channel_id: guild.systemChannel,
  system_channel_flags: 0,
  widget_enabled: false,
  widget_channel_id: null,
  verification_level: 1,
  roles: [...guild.roles.values()].map(roleWire),
  default_message_notifications: 1,
  mfa_level: 0,
  explicit_content_filter: 0,
  max_presences: null,
  max_members: 500_000,
  max_stage_video_channel_users: 0,
  max_video_channel_users: 0,
  vanity_url_code: null,
  premium_tier: 0,
  premium_subscription_count: 0,
  preferred_locale: "en-US",
  rules_channel_id: null,
  safety_alerts_channel_id: null,
  public_updates_channel_id: null,
  premium_progress_bar_enabled: false,
  nsfw: false,
  nsfw_level: 0,
  emojis: [],
  stickers: [],
  incidents_data: null,
});

/** A guild as GUILD_CREATE tells of it: the channels the app can see, the threads it can see that are open, itself. */
export const guildCreateWire = (world: World, guild: Guild, sees: (channel: AnyChannel) => boolean): Json => {
  const seen = [...guild.channels]
    .flatMap((id) => world.channels.get(id) ?? [])
    .filter((channel) => sees(channel));
  return {
    ...guildWire(guild),
    joined_at: iso(timeOf(guild.id)),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    members: [...guild.members.values()]
      .filter(({ user }) => user === world.app.bot)
      .map((member) => memberWire(world, member)),
    channels: seen.filter(({ kind }) => kind !== "thread").map((channel) => channelWire(world, channel)),
    threads: seen
      .filter((channel) => channel.kind === "thread" && !channel.archived)
      .map((channel) => channelWire(world, channel)),
    voice_states: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
};
