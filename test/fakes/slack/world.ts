/**
 * What a workspace holds: people, channels, messages, files. Records are replaced, never changed, so that an event built
 * before a change keeps what it says. Ids are readable: user alice is `UALICE`, channel general `CGENERAL`.
 */

import type { FakeClock } from "../shared/clock.ts";

/** What a field of the wire may be. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * `external` people come from another workspace through a shared channel; `partner`s as well, from an organization with an
 * Enterprise Grid, and Slack calls them no strangers. `sibling`s are of another workspace of our own Grid.
 */
export type Role =
  | "owner"
  | "admin"
  | "member"
  | "guest"
  | "external"
  | "partner"
  | "sibling"
  | "bot"
  | "deactivated";

export interface UserSpec {
  readonly name: string;
  /** Unset: `member`. */
  readonly role?: Role;
  /** As people read it; unset: the name. */
  readonly display?: string;
}

export interface ChannelSpec {
  readonly name: string;
  readonly isPrivate?: boolean;
  /** Direct messages of several people. */
  readonly isGroupDm?: boolean;
  /** Names. Unset: every person of `users`. */
  readonly members?: readonly string[];
  /** Leaves the app out until it is invited or joins. */
  readonly withoutApp?: boolean;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly team: string;
  readonly display?: string;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: "channel" | "group" | "im" | "mpim";
  readonly members: ReadonlySet<string>;
  readonly isArchived: boolean;
}

export interface Reaction {
  readonly name: string;
  readonly users: readonly string[];
}

export interface Message {
  readonly channel: string;
  readonly ts: string;
  /** Set on replies; the root of a thread has none here and gets its own `ts` on the wire once it has replies. */
  readonly threadTs?: string;
  readonly user: string;
  /** Set where an app wrote it. */
  readonly botId?: string;
  readonly text: string;
  readonly blocks?: readonly Json[];
  readonly attachments?: readonly Json[];
  readonly metadata?: Json;
  /** Who let the app in, on the message that says so. */
  readonly inviter?: string;
  readonly edited?: { readonly user: string; readonly ts: string };
  readonly reactions: readonly Reaction[];
  readonly files: readonly string[];
  readonly subtype?:
    | "file_share"
    | "thread_broadcast"
    | "tombstone"
    | "channel_join"
    | "assistant_app_thread";
  readonly stream?: "in_progress" | "completed" | "errored";
}

/** Seen by one person only, and in no history. */
export interface Ephemeral {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs?: string;
  readonly for: string;
  readonly text: string;
  readonly blocks?: readonly Json[];
}

/** What somebody did to a message, for stories. */
export interface Deed {
  readonly channel: string;
  readonly threadTs: string;
  readonly ts: string;
  readonly user: string;
  readonly what: string;
}

export interface File {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly user: string;
  /** Undefined until the bytes have been uploaded. */
  readonly bytes?: Buffer;
  readonly size: number;
  /** When the address for its bytes was given out. */
  readonly begun: number;
  readonly isShared: boolean;
  /** Further fields of the wire, such as an e-mail's `plain_text`. */
  readonly more?: Json;
  /** Slack names the file by its id and this mode alone. */
  readonly withheld?: "tombstone" | "hidden_by_limit";
  /**
   * How its address answers the app: `page` or `redirect` without the scope files:read, `half` if the connection ends early.
   * Unset: with the bytes.
   */
  readonly answers?: "page" | "redirect" | "half";
}

export const team = { id: "T0FAKE", domain: "fake", name: "Fake" } as const;
export const app = { id: "A0FAKE", bot: "B0PARLEY", user: "UPARLEY", name: "parley" } as const;
/** The Grid that the workspace belongs to where it has `sibling`s. */
export const enterprise = "E0FAKE";
const otherTeams: Partial<Readonly<Record<Role, string>>> = {
  external: "T0OTHER",
  partner: "T0PARTNER",
  sibling: "T0SIBLING",
};

export interface World {
  readonly users: Map<string, User>;
  readonly channels: Map<string, Channel>;
  /** Members of the workspace's user groups, by group id (`S…`). */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly ephemerals: Ephemeral[];
  readonly deeds: Deed[];
  /** Takes an ephemeral message away. */
  hide(channel: string, ts: string): void;
  readonly files: Map<string, File>;
  /** A timestamp that no message of the workspace has yet. */
  nextTs(): string;
  /** An id that no other thing has: `F1`, `V2`. */
  nextId(prefix: string): string;
  message(channel: string, ts: string): Message | undefined;
  /** All of a channel, oldest first. */
  messages(channel: string): readonly Message[];
  /** Root first, then the replies, oldest first; of a message without replies that message alone. */
  thread(channel: string, root: string): readonly Message[];
  /** Inserts, or replaces the message of that timestamp. */
  put(message: Message): void;
  remove(message: Message): void;
  /** Whether there ever was a message of that timestamp. */
  existed(channel: string, ts: string): boolean;
  channelNamed(name: string): Channel;
  userNamed(name: string): User;
  /** The direct channel between the app and a person, made on first use. */
  directChannel(user: string): Channel;
}

export interface WorldOptions {
  readonly users?: readonly UserSpec[];
  readonly channels?: readonly ChannelSpec[];
  /** Members of user groups by group id, as names. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
}

export const createWorld = (options: WorldOptions, clock: FakeClock): World => {
  const people = options.users ?? [{ name: "alice", role: "owner" }, { name: "bob" }, { name: "carol" }];
  const users = new Map(
    [...people, { name: app.name, role: "bot" as const }].map((spec) => [userId(spec.name), userOf(spec)]),
  );
  const channels = new Map(
    (options.channels ?? [{ name: "general" }]).map((spec) => {
      const channel = channelOf(
        spec,
        people.map(({ name }) => name),
      );
      return [channel.id, channel];
    }),
  );
  const byChannel = new Map<string, Map<string, Message>>();
  const removed = new Set<string>();
  const ephemerals: Ephemeral[] = [];
  let lastMicros = 0;
  let lastId = 0;

  const inChannel = (channel: string): Map<string, Message> => {
    const found = byChannel.get(channel) ?? new Map<string, Message>();
    byChannel.set(channel, found);
    return found;
  };

  const world: World = {
    users,
    channels,
    groups: new Map(Object.entries(options.groups ?? {}).map(([id, names]) => [id, names.map(userId)])),
    ephemerals,
    deeds: [],
    hide: (channel, ts) => {
      const at = ephemerals.findIndex((one) => one.channel === channel && one.ts === ts);
      if (at !== -1) {
        ephemerals.splice(at, 1);
      }
    },
    files: new Map(),
    nextTs: () => {
      lastMicros = Math.max(lastMicros + 1, clock.now() * 1000);
      const text = String(Math.floor(lastMicros));
      return `${text.slice(0, -6)}.${text.slice(-6)}`;
    },
    nextId: (prefix) => `${prefix}${(lastId += 1)}`,
    message: (channel, ts) => inChannel(channel).get(ts),
    messages: (channel) => [...inChannel(channel).values()],
    thread: (channel, root) =>
      [...inChannel(channel).values()].filter(({ ts, threadTs }) => ts === root || threadTs === root),
    put: (message) => {
      inChannel(message.channel).set(message.ts, message);
    },
    remove: (message) => {
      inChannel(message.channel).delete(message.ts);
      removed.add(`${message.channel}/${message.ts}`);
    },
    existed: (channel, ts) => inChannel(channel).has(ts) || removed.has(`${channel}/${ts}`),
    channelNamed: (name) => {
      const found = [...channels.values()].find((channel) => channel.name === name || channel.id === name);
      return found ?? missing(`channel ${name}`);
    },
    userNamed: (name) => users.get(userId(name)) ?? users.get(name) ?? missing(`user ${name}`),
    directChannel: (user) => {
      const id = `D${user.slice(1)}`;
      const found = channels.get(id) ?? {
        id,
        name: id,
        kind: "im" as const,
        members: new Set([user, app.user]),
        isArchived: false,
      };
      channels.set(id, found);
      return found;
    },
  };
  return world;
};

const userId = (name: string): string => `U${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "")}`;

const userOf = ({ name, role = "member", ...given }: UserSpec): User => ({
  id: userId(name),
  name,
  ...given,
  role,
  team: otherTeams[role] ?? team.id,
});

const channelOf = (spec: ChannelSpec, everyone: readonly string[]): Channel => ({
  id: `${spec.isPrivate === true || spec.isGroupDm === true ? "G" : "C"}${spec.name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "")}`,
  name: spec.name,
  kind: spec.isGroupDm === true ? "mpim" : spec.isPrivate === true ? "group" : "channel",
  members: new Set([
    ...(spec.members ?? everyone).map(userId),
    ...(spec.withoutApp === true ? [] : [app.user]),
  ]),
  isArchived: false,
});

const missing = (what: string): never => {
  throw new Error(`the workspace has no ${what}`);
};
