/** What a person does in Discord, and what Discord tells the app of it. A deed that Discord would not offer them throws. */

import { can, lockedOut, speaking } from "../rules/access.ts";
import {
  change,
  changeThread,
  clearReactions,
  edit,
  openThread,
  post,
  react,
  remove,
  unreact,
} from "./acts.ts";
import type { Discord } from "../discord.ts";
import { createInteracting, type Interacting } from "./interact.ts";
import type { Permission } from "../rules/permissions.ts";
import { snapshotWire } from "../wire.ts";
import type { AnyChannel, Attachment, Json, Message, Thread } from "../world.ts";

export interface Address {
  readonly channel: string;
  readonly id: string;
}

export interface Say {
  /** Id of the message that it answers, which pings its author. */
  readonly replyTo?: string;
  readonly files?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly bytes: Buffer;
  }[];
  /** Parts of the message as Discord sends them: `poll`, `sticker_items`. */
  readonly parts?: Json;
}

export interface NewPost {
  readonly name: string;
  readonly text: string;
  /** Names of the forum's tags. */
  readonly tags?: readonly string[];
}

export interface Human extends Interacting {
  readonly id: string;
  /** A message in a channel or thread, by id or name; `@name` becomes a mention of that person, `@parley` of the app. */
  say(channel: string, text: string, more?: Say): Address;
  /** A direct message to the app. */
  whisper(text: string, more?: Say): Address;
  /** Forwards a message; `@app` forwards it to the app as a direct message. */
  forward(message: Address, to: string): Address;
  edit(message: Address, text: string, parts?: Json): void;
  remove(message: Address): void;
  /** Pins a message of anybody, which Discord tells as a change of the message. */
  pin(message: Address): void;
  /** `isBurst`: a super reaction. */
  react(message: Address, emoji: string, isBurst?: boolean): void;
  unreact(message: Address, emoji: string): void;
  /** Removes everybody's reactions, of one emoji or all; needs Manage Messages. */
  clearReactions(message: Address, emoji?: string): void;
  /** Opens a thread on a message, or one of its own; answers with its id. */
  openThread(
    channel: string,
    name: string,
    options?: { readonly from?: string; readonly isPrivate?: boolean },
  ): string;
  /** A post in a forum: a thread whose first message has its id. */
  ask(forum: string, given: NewPost): Address;
  archive(thread: string): void;
  reopen(thread: string): void;
  /** Needs Manage Threads. */
  lock(thread: string): void;
  unlock(thread: string): void;
}

export const createHuman = (discord: Discord, name: string): Human => {
  const { world } = discord;
  const user = world.userNamed(name);

  const place = (where: string, ...needs: readonly Permission[]): AnyChannel => {
    const channel = world.channelNamed(where);
    const missing = (["ViewChannel", ...needs] as const).find((one) => !can(discord, user.id, channel, one));
    if (missing !== undefined) throw new Error(`${name} has no ${missing} in ${where}`);
    return channel;
  };
  const threadAt = (where: string): Thread => {
    const thread = place(where);
    if (thread.kind !== "thread") throw new Error(`${where} is no thread`);
    return thread;
  };
  const own = ({ channel, id }: Address): Message => {
    const message = world.message(channel, id);
    if (message?.author !== user.id) throw new Error(`${name} did not write ${id}`);
    return message;
  };
  const found = ({ channel, id }: Address): Message => {
    const message = world.message(channel, id);
    if (message === undefined) throw new Error(`no message ${id}`);
    return message;
  };
  const speak = (where: AnyChannel, text: string, { replyTo, files = [], parts = {} }: Say = {}): Address => {
    const { id } = post(discord, {
      channel: where.id,
      author: user.id,
      content: addressed(discord, text),
      attachments: files.map(
        (file): Attachment => ({
          ...file,
          id: world.nextId(),
          type: typeOf(file.name),
          description: file.description ?? null,
        }),
      ),
      parts,
      ...(replyTo === undefined ? {} : { type: 19, reference: { channel: where.id, message: replyTo } }),
    });
    return { channel: where.id, id };
  };

  return {
    ...createInteracting(discord, user),
    id: user.id,
    say: (where, text, more) => {
      const channel = world.channelNamed(where);
      place(where, speaking(channel));
      if (channel.kind === "forum") throw new Error(`${where} is a forum`);
      if (channel.kind === "thread" && lockedOut(discord, user.id, channel) !== undefined)
        throw new Error(`${where} is locked`);
      return speak(channel, text, more);
    },
    whisper: (text, more) => speak(world.directChannel(user.id), text, more),
    forward: ({ channel, id }, to) => {
      const where =
        to === "@app" ? world.directChannel(user.id) : place(to, speaking(world.channelNamed(to)));
      const given = world.message(channel, id);
      if (given === undefined) throw new Error(`no message ${id}`);
      const { id: made } = post(discord, {
        channel: where.id,
        author: user.id,
        reference: { channel, message: id },
        flags: HAS_SNAPSHOT,
        parts: { message_snapshots: [{ message: snapshotWire(world, given, discord.baseUrl) }] },
      });
      return { channel: where.id, id: made };
    },
    edit: (message, text, parts = own(message).parts) => {
      edit(discord, own(message), addressed(discord, text), parts);
    },
    remove: (address) => {
      const message = world.message(address.channel, address.id);
      if (message === undefined) throw new Error(`no message ${address.id}`);
      if (message.author !== user.id) place(address.channel, "ManageMessages");
      remove(discord, [message]);
    },
    pin: ({ channel, id }) => {
      const message = world.message(channel, id);
      if (message === undefined) throw new Error(`no message ${id}`);
      place(channel, "ManageMessages");
      change(discord, { ...message, parts: { ...message.parts, pinned: true } });
    },
    react: (address, emoji, isBurst = false) => {
      react(discord, found(address), user.id, emoji, isBurst);
    },
    unreact: (address, emoji) => {
      unreact(discord, found(address), user.id, emoji);
    },
    clearReactions: (address, emoji) => {
      place(address.channel, "ManageMessages");
      clearReactions(discord, found(address), emoji ?? null);
    },
    openThread: (where, title, { from, isPrivate = false } = {}) => {
      const parent = place(where, isPrivate ? "CreatePrivateThreads" : "CreatePublicThreads");
      if (parent.guild === null || parent.kind === "thread") throw new Error(`${where} has no threads`);
      const root = from === undefined ? null : (world.message(parent.id, from) ?? null);
      return openThread(discord, {
        parent: { ...parent, guild: parent.guild },
        name: title,
        owner: user.id,
        from: root,
        isPrivate,
        autoArchiveMinutes: 1_440,
      }).id;
    },
    ask: (where, { name: title, text, tags = [] }) => {
      const parent = place(where, "SendMessages");
      if (parent.kind !== "forum" || parent.guild === null) throw new Error(`${where} is not a forum`);
      const thread = openThread(discord, {
        parent: { ...parent, guild: parent.guild },
        name: title,
        owner: user.id,
        from: null,
        isPrivate: false,
        autoArchiveMinutes: 1_440,
        tags: tags.flatMap((tag) => parent.tags.find((one) => one.name === tag)?.id ?? []),
      });
      const { id } = post(discord, {
        id: thread.id,
        channel: thread.id,
        author: user.id,
        content: addressed(discord, text),
      });
      return { channel: thread.id, id };
    },
    archive: (where) => {
      const thread = threadAt(where);
      changeThread(discord, thread, { ...thread, archived: true });
    },
    reopen: (where) => {
      const thread = threadAt(where);
      changeThread(discord, thread, { ...thread, archived: false });
    },
    lock: (where) => {
      const thread = threadAt(where);
      place(where, "ManageThreads");
      changeThread(discord, thread, { ...thread, locked: true });
    },
    unlock: (where) => {
      const thread = threadAt(where);
      place(where, "ManageThreads");
      changeThread(discord, thread, { ...thread, locked: false, archived: false });
    },
  };
};

/** Names become mentions, as the client makes them. */
const addressed = ({ world }: Pick<Discord, "world">, text: string): string =>
  withRoles({ world }, text).replaceAll(/@(\w+)/g, (all, name: string) => {
    const user = [...world.users.values()].find((one) => one.name === name);
    return user === undefined ? all : `<@${user.id}>`;
  });

/** Mentions of the app's managed role, which the client offers beside the app itself, as `@&parley`. */
const withRoles = ({ world }: Pick<Discord, "world">, text: string): string =>
  text.replaceAll(/@&(\w+)/g, (all, name: string) => {
    const roles = [...world.guilds.values()].flatMap((one) => [...one.roles.values()]);
    const role = roles.find((one) => one.name === name);
    return role === undefined ? all : `<@&${role.id}>`;
  });

const HAS_SNAPSHOT = 1 << 14;

const typeOf = (name: string): string => {
  const type = name.split(".").at(-1) ?? "";
  if (/^(png|jpe?g|gif|webp|heic)$/.test(type)) return `image/${type}`;
  if (type === "pdf") return "application/pdf";
  return type === "svg" ? "image/svg+xml" : "text/plain";
};
