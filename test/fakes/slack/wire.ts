/** How the workspace's records look in answers and payloads. Pure. */

import {
  app,
  type Channel,
  type File,
  type Json,
  type Message,
  team,
  type User,
  type World,
  enterprise,
} from "./world.ts";
import { typed } from "./people/typed.ts";

export const botProfile = {
  id: app.bot,
  app_id: app.id,
  name: app.name,
  icons: {},
  deleted: false,
  updated: 0,
  team_id: team.id,
};

/** Another app is called after its id: `B0CI` is ci. */
const profileOf = (bot: string) =>
  bot === app.bot
    ? botProfile
    : { ...botProfile, id: bot, app_id: `A${bot.slice(1)}`, name: bot.replace(/^B0/, "").toLowerCase() };

/** A message as history, events and payloads show it. Metadata only where it was asked for. */
export const messageWire = (
  world: World,
  message: Message,
  baseUrl: string,
  options: { readonly withMetadata?: boolean } = {},
): Json => {
  const replies = message.threadTs === undefined ? repliesOf(world, message) : [];
  const { text, blocks } = contentOf(message);
  return {
    type: "message",
    ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
    user: message.user,
    ...(message.botId === undefined
      ? {}
      : {
          bot_id: message.botId,
          app_id: profileOf(message.botId).app_id,
          bot_profile: profileOf(message.botId),
        }),
    team: world.users.get(message.user)?.team ?? team.id,
    text,
    ts: message.ts,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    ...(blocks === undefined ? {} : { blocks }),
    ...(message.attachments === undefined ? {} : { attachments: message.attachments }),
    ...(message.inviter === undefined ? {} : { inviter: message.inviter }),
    ...(message.edited === undefined ? {} : { edited: message.edited }),
    ...(message.stream === undefined ? {} : { streaming_state: message.stream }),
    ...(message.reactions.length === 0
      ? {}
      : { reactions: message.reactions.map(({ name, users }) => ({ name, users, count: users.length })) }),
    ...(message.files.length === 0
      ? {}
      : { files: message.files.flatMap((id) => filesWire(world, id, baseUrl)) }),
    ...(options.withMetadata === true && message.metadata !== undefined
      ? { metadata: message.metadata }
      : {}),
    ...(replies.length === 0
      ? {}
      : {
          thread_ts: message.ts,
          reply_count: replies.length,
          reply_users: [...new Set(replies.map(({ user }) => user))],
          latest_reply: replies.at(-1)?.ts,
        }),
  };
};

/** What a person types has rich text; the words of apps and of Slack itself have the blocks that they were given. */
export const contentOf = ({
  user,
  botId,
  subtype,
  text,
  blocks,
}: Message): Pick<Message, "text" | "blocks"> => {
  const isTyped = botId === undefined && user !== "USLACKBOT" && !NOT_TYPED.includes(subtype);
  if (!isTyped) return { text, ...(blocks === undefined ? {} : { blocks }) };
  const own = typed(text);
  const hasRichText = (blocks ?? []).some(({ type }) => type === "rich_text");
  const shown = [...(hasRichText ? [] : own.blocks.map((block): Json => ({ ...block }))), ...(blocks ?? [])];
  return { text: own.text, ...(shown.length === 0 ? {} : { blocks: shown }) };
};

const NOT_TYPED: readonly Message["subtype"][] = ["channel_join", "tombstone"];

const repliesOf = (world: World, { channel, ts }: Message): readonly Message[] =>
  world.thread(channel, ts).filter((message) => message.threadTs === ts);

/** What a forwarded message looks like below the words of who forwards it. */
export const shareWire = (world: World, message: Message, baseUrl: string): Json => {
  const { channel, ts, user, files, attachments } = message;
  const { text, blocks } = contentOf(message);
  const link = `https://${team.domain}.slack.com/archives/${channel}/p${ts.replace(".", "")}`;
  const name = world.users.get(user)?.name ?? user;
  return {
    id: 1,
    is_share: true,
    is_msg_unfurl: true,
    from_url: link,
    original_url: link,
    channel_id: channel,
    ts,
    author_id: user,
    author_name: name,
    author_subname: name,
    fallback: `${name}: ${text}`,
    text,
    mrkdwn_in: ["text"],
    footer: "Posted in a channel",
    ...(blocks === undefined && attachments === undefined
      ? {}
      : { message_blocks: [{ team: team.id, channel, ts, message: { blocks, attachments } }] }),
    ...(files.length === 0 ? {} : { files: files.flatMap((id) => filesWire(world, id, baseUrl)) }),
  };
};

const filesWire = (world: World, id: string, baseUrl: string): readonly Json[] => {
  const file = world.files.get(id);
  if (file === undefined) return [{ id, mode: "tombstone" }];
  if (file.withheld !== undefined) return [{ id, mode: file.withheld }];
  return world.users.get(file.user)?.role === "external" ? [stubWire(file)] : [fileWire(file, baseUrl)];
};

/** A file of another workspace: files.info tells the rest. */
const stubWire = ({ id }: File): Json => ({
  id,
  created: 0,
  timestamp: 0,
  mode: "file_access",
  file_access: "check_file_info",
  name: null,
  title: null,
});

export const fileWire = (file: File, baseUrl: string): Json => {
  const extension = file.name.includes(".") ? file.name.slice(file.name.lastIndexOf(".") + 1) : "text";
  return {
    id: file.id,
    created: 0,
    timestamp: 0,
    name: file.name,
    title: file.title,
    mimetype: mimeTypes[extension] ?? "text/plain",
    filetype: extension,
    pretty_type: extension.toUpperCase(),
    user: file.user,
    user_team: team.id,
    editable: false,
    size: file.size,
    mode: "hosted",
    is_external: false,
    external_type: "",
    is_public: true,
    public_url_shared: false,
    display_as_bot: false,
    username: "",
    url_private: `${baseUrl}/files/${file.id}/${encodeURIComponent(file.name)}`,
    url_private_download: `${baseUrl}/files/${file.id}/download/${encodeURIComponent(file.name)}`,
    media_display_type: "unknown",
    permalink_public: "",
    is_starred: false,
    has_rich_preview: false,
    file_access: "visible",
    permalink: `https://${team.domain}.slack.com/files/${file.user}/${file.id}`,
    channels: [],
    groups: [],
    ...file.more,
  };
};

const mimeTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  svg: "image/svg+xml",
  pdf: "application/pdf",
  html: "text/html",
  eml: "text/html",
  m4a: "audio/mp4",
  diff: "text/x-diff",
};

export const userWire = (user: User): Json => ({
  id: user.id,
  team_id: user.team,
  name: user.name,
  real_name: user.display ?? user.name,
  deleted: user.role === "deactivated",
  is_bot: user.role === "bot",
  is_app_user: false,
  is_owner: user.role === "owner",
  is_primary_owner: user.role === "owner",
  is_admin: user.role === "owner" || user.role === "admin",
  is_restricted: user.role === "guest",
  is_ultra_restricted: false,
  ...(user.role === "external" ? { is_stranger: true } : {}),
  ...(user.role === "partner" ? { is_stranger: false, ...inGrid(user, "E0PARTNER") } : {}),
  ...(user.role === "sibling" ? inGrid(user, enterprise) : {}),
  profile: { display_name: user.display ?? user.name, real_name: user.display ?? user.name, team: user.team },
});

/** As `user_change` has it. */
export const changedUserWire = (user: User): Json => {
  const name = user.display ?? user.name;
  const image = "https://example.com/avatar.png";
  return {
    ...userWire(user),
    color: "4bbe2e",
    tz: "Europe/Berlin",
    tz_label: "Central European Time",
    tz_offset: 3600,
    profile: {
      title: "",
      phone: "",
      skype: "",
      real_name: name,
      real_name_normalized: name,
      display_name: name,
      display_name_normalized: name,
      status_text: "",
      status_text_canonical: "",
      status_emoji: "",
      status_emoji_display_info: [],
      status_expiration: 0,
      avatar_hash: "g1",
      first_name: name,
      last_name: "",
      image_24: image,
      image_32: image,
      image_48: image,
      image_72: image,
      image_192: image,
      image_512: image,
      team: user.team,
      fields: {},
    },
    updated: 1,
    is_email_confirmed: true,
    locale: "en-US",
    who_can_share_contact_card: "EVERYONE",
  };
};

const inGrid = ({ id, team: home }: User, enterpriseId: string): Json => ({
  enterprise_user: {
    id,
    enterprise_id: enterpriseId,
    enterprise_name: enterpriseId,
    is_admin: false,
    is_owner: false,
    teams: [home],
  },
});

export const channelWire = (channel: Channel): Json =>
  channel.kind === "im"
    ? {
        id: channel.id,
        is_im: true,
        is_archived: channel.isArchived,
        user: [...channel.members].find((id) => id !== app.user),
        created: 0,
        is_open: true,
      }
    : {
        id: channel.id,
        name: channel.name,
        name_normalized: channel.name,
        is_channel: channel.kind === "channel",
        is_group: channel.kind === "group",
        is_im: false,
        is_mpim: channel.kind === "mpim",
        is_private: channel.kind !== "channel",
        is_archived: channel.isArchived,
        is_general: false,
        is_member: channel.members.has(app.user),
        created: 0,
        creator: app.user,
        context_team_id: team.id,
      };
