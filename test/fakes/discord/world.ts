/** The guilds, people, channels and messages of one fake Discord. Owns nothing but records; who may do what is elsewhere. */

import type { FakeClock } from "../shared/clock.ts";
import { createIds, type Ids } from "./ids.ts";
import { appPermissions, everyonePermissions, maintainerPermissions } from "./rules/permissions.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface User {
  readonly id: string;
  readonly name: string;
  readonly isBot: boolean;
  /** In which they use Discord. */
  locale?: string;
}

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly permissions: bigint;
  /** The bot that Discord made the role for and manages it. */
  readonly managedFor?: string;
  /** Everybody may mention it; otherwise a mention notifies its members only if the author may mention everyone. */
  readonly mentionable?: boolean;
}

export interface Member {
  readonly user: string;
  readonly roles: readonly string[];
  readonly joinedAt: number;
  /** Until when the member is timed out, epoch milliseconds. */
  readonly timeoutUntil: number | null;
  /** Has not passed the server's screening. */
  readonly isPending?: boolean;
}

export interface Guild {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly roles: Map<string, Role>;
  readonly members: Map<string, Member>;
  readonly bans: Set<string>;
  /** Ids of its channels and threads. */
  readonly channels: Set<string>;
  /** In which Discord welcomes members; null for none. */
  systemChannel: string | null;
}

export interface Overwrite {
  readonly id: string;
  readonly type: "role" | "member";
  readonly allow: bigint;
  readonly deny: bigint;
}

export interface Tag {
  readonly id: string;
  readonly name: string;
  /** Only those who may manage threads can set it. */
  readonly moderated: boolean;
}

export interface Channel {
  readonly id: string;
  readonly kind: "text" | "voice" | "forum" | "dm";
  /** Null for direct messages. */
  readonly guild: string | null;
  readonly name: string;
  /** In the list of channels, from the top. */
  readonly position: number;
  readonly overwrites: readonly Overwrite[];
  /** Of a forum. */
  readonly tags: readonly Tag[];
  readonly requiresTag: boolean;
  /** Of a direct channel: who is in it besides the app. */
  readonly recipient: string | null;
}

export interface Thread {
  readonly id: string;
  readonly kind: "thread";
  readonly guild: string;
  readonly name: string;
  readonly parent: string;
  readonly owner: string;
  readonly isPrivate: boolean;
  readonly isInvitable: boolean;
  readonly archived: boolean;
  readonly archivedAt: number;
  readonly locked: boolean;
  readonly autoArchiveMinutes: number;
  readonly lastActiveAt: number;
  readonly tags: readonly string[];
  readonly members: ReadonlyMap<string, number>;
  readonly messageCount: number;
}

export type AnyChannel = Channel | Thread;

export interface Attachment {
  readonly id: string;
  readonly name: string;
  /** Name that the author gave the file, if Discord changed it. */
  readonly title?: string;
  readonly type: string;
  readonly description: string | null;
  readonly bytes: Buffer;
}

export interface Message {
  readonly id: string;
  readonly channel: string;
  readonly author: string;
  /** 0 plain, 18 thread created, 19 reply, 20 command, 21 thread starter, 23 message command. */
  readonly type: number;
  readonly content: string;
  readonly components: readonly Json[];
  readonly embeds: readonly Json[];
  readonly attachments: readonly Attachment[];
  readonly flags: number;
  readonly mentions: Mentions;
  readonly editedAt: number | null;
  readonly nonce: string | number | null;
  /** What it replies to, or what a thread started from. */
  readonly reference: { readonly channel: string; readonly message: string } | null;
  /** Parts that few messages have, as they are sent: `poll`, `sticker_items`, `message_snapshots`. */
  readonly parts: Json;
  readonly reactions: ReadonlyMap<string, ReadonlySet<string>>;
  /** Set on what an interaction made. */
  readonly interaction: { readonly id: string; readonly user: string; readonly type: number } | null;
  /** The only person who sees it. */
  readonly onlyFor: string | null;
}

/** Who was pinged, after allowed_mentions. */
export interface Mentions {
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly everyone: boolean;
}

export interface ChannelOption {
  readonly name: string;
  readonly kind?: "text" | "voice" | "forum";
  /** Of a forum. */
  readonly tags?: readonly string[];
  readonly requiresTag?: boolean;
}

export interface MemberOption {
  readonly name: string;
  /** Names of roles; `maintainer` always exists. */
  readonly roles?: readonly string[];
  /** Has not passed the server's screening. */
  readonly isPending?: boolean;
}

export interface GuildOption {
  readonly name: string;
  readonly channels?: readonly ChannelOption[];
  readonly members?: readonly MemberOption[];
  /** Name of the channel in which Discord welcomes members. */
  readonly systemChannel?: string;
  /** The app has not been invited yet. */
  readonly withoutApp?: boolean;
}

export interface WorldOptions {
  /** Unset: one guild, `Community`, with #general, #other, the forum `help` (tags bug, question), and its people. */
  readonly guilds?: readonly GuildOption[];
}

export interface World extends Ids {
  readonly app: { readonly id: string; readonly bot: string; readonly name: string };
  readonly users: Map<string, User>;
  readonly guilds: Map<string, Guild>;
  readonly channels: Map<string, AnyChannel>;
  now(): number;
  userNamed(name: string): User;
  guildNamed(name: string): Guild;
  /** By id or name; of the first guild that has it. */
  channelNamed(name: string): AnyChannel;
  /** Messages of a channel, oldest first. */
  messages(channel: string): readonly Message[];
  message(channel: string, id: string): Message | undefined;
  put(message: Message): void;
  remove(message: Message): void;
  putChannel(channel: AnyChannel): void;
  removeChannel(channel: AnyChannel): void;
  directChannel(user: string): Channel;
}

const defaultGuild: GuildOption = {
  name: "Community",
  channels: [
    { name: "general" },
    { name: "other" },
    { name: "help", kind: "forum", tags: ["bug", "question"] },
  ],
  members: [{ name: "alice" }, { name: "bob" }, { name: "maria", roles: ["maintainer"] }],
};

const OWNER = "olga";

export const createWorld = ({ guilds = [defaultGuild] }: WorldOptions, clock: FakeClock): World => {
  const ids = createIds(clock);
  const users = new Map<string, User>();
  const byName = new Map<string, User>();
  const channels = new Map<string, AnyChannel>();
  const messages = new Map<string, Map<string, Message>>();
  const all = new Map<string, Guild>();
  const app = { id: ids.nextId(), bot: ids.nextId(), name: "parley" };

  const addUser = (user: User): User => {
    users.set(user.id, user);
    byName.set(user.name, user);
    return user;
  };
  const person = (name: string): User =>
    byName.get(name) ?? addUser({ id: ids.nextId(), name, isBot: false });
  const putChannel = (channel: AnyChannel): void => {
    channels.set(channel.id, channel);
    if (channel.guild !== null) all.get(channel.guild)?.channels.add(channel.id);
  };

  const addGuild = (option: GuildOption): void => {
    const guild = emptyGuild(ids.nextGuildId(), option.name, person(OWNER).id);
    const join = (user: string, roles: readonly string[], isPending = false): Map<string, Member> =>
      guild.members.set(user, { user, roles, joinedAt: clock.now(), timeoutUntil: null, isPending });
    const role = (name: string, permissions: bigint, id = ids.nextId(), bot?: string): string => {
      guild.roles.set(id, { id, name, permissions, ...(bot === undefined ? {} : { managedFor: bot }) });
      return id;
    };
    role("@everyone", everyonePermissions, guild.id);
    const known = new Map([["maintainer", role("maintainer", maintainerPermissions)]]);
    join(guild.owner, []);
    if (option.withoutApp !== true) {
      join(app.bot, [role(app.name, appPermissions, ids.nextId(), app.bot)]);
    }
    all.set(guild.id, guild);
    for (const { name, roles = [], isPending } of option.members ?? []) {
      const held = roles.map((one) => known.get(one) ?? role(one, 0n));
      roles.forEach((one, at) => known.set(one, held[at] ?? ""));
      join(person(name).id, held, isPending);
    }
    for (const [position, given] of (option.channels ?? [{ name: "general" }]).entries()) {
      const channel = { ...channelOf(given, guild.id, ids), position };
      putChannel(channel);
      if (given.name === option.systemChannel) guild.systemChannel = channel.id;
    }
  };

  addUser({ id: app.bot, name: app.name, isBot: true });
  for (const guild of guilds) addGuild(guild);

  const direct = new Map<string, Channel>();
  return {
    ...ids,
    now: clock.now,
    app,
    users,
    guilds: all,
    channels,
    userNamed: (name) => found(byName.get(name), `nobody is called ${name}`),
    guildNamed: (name) =>
      found(
        [...all.values()].find((one) => one.name === name),
        `no guild ${name}`,
      ),
    channelNamed: (name) =>
      found(
        channels.get(name) ?? [...channels.values()].find((one) => one.name === name),
        `no channel ${name}`,
      ),
    messages: (channel) => [...(messages.get(channel)?.values() ?? [])],
    message: (channel, id) => messages.get(channel)?.get(id),
    put: (message) => {
      const there = messages.get(message.channel) ?? new Map<string, Message>();
      messages.set(message.channel, there.set(message.id, message));
    },
    remove: ({ channel, id }) => messages.get(channel)?.delete(id),
    putChannel,
    removeChannel: (channel) => {
      channels.delete(channel.id);
      messages.delete(channel.id);
      if (channel.guild !== null) all.get(channel.guild)?.channels.delete(channel.id);
    },
    directChannel: (user) => {
      const known = direct.get(user);
      if (known !== undefined) return known;
      const made: Channel = {
        ...plain,
        id: ids.nextId(),
        kind: "dm",
        guild: null,
        name: "",
        recipient: user,
      };
      direct.set(user, made);
      putChannel(made);
      return made;
    },
  };
};

/** A message as it is before anything is said of it. */
export const blankMessage: Omit<Message, "id" | "channel" | "author"> = {
  type: 0,
  content: "",
  components: [],
  embeds: [],
  attachments: [],
  flags: 0,
  mentions: { users: [], roles: [], everyone: false },
  editedAt: null,
  nonce: null,
  reference: null,
  parts: {},
  reactions: new Map(),
  interaction: null,
  onlyFor: null,
};

const plain = { position: 0, overwrites: [], tags: [], requiresTag: false, recipient: null };

const emptyGuild = (id: string, name: string, owner: string): Guild => ({
  id,
  name,
  owner,
  roles: new Map(),
  members: new Map(),
  bans: new Set(),
  channels: new Set(),
  systemChannel: null,
});

const channelOf = (
  { name, kind = "text", tags = [], requiresTag = false }: ChannelOption,
  guild: string,
  ids: Ids,
): Channel => ({
  ...plain,
  id: ids.nextId(),
  kind,
  guild,
  name,
  requiresTag,
  tags: tags.map((tag) => ({ id: ids.nextId(), name: tag, moderated: false })),
});

const found = <T>(value: T | undefined, complaint: string): T => {
  if (value === undefined) throw new Error(complaint);
  return value;
};
