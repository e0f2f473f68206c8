/**
 * Processes gateway events: stores, acknowledges and handles them, and reads missed ones after a gap.
 * Messages need no acknowledgement. A message that was not stored before the process died is read again at
 * the next start.
 */

import { ChannelType } from "discord-api-types/v10";
import * as z from "zod";
import type { Millis } from "../../../src/machine/id.ts";
import type { Source } from "../../../src/ports/chat-rows.ts";
import type { InboundResult } from "../../../src/ports/chat.ts";
import type { ChatInbox } from "../../../src/ports/connection.ts";
import type { Place } from "../../../src/ports/conversation.ts";
import type { Channels } from "../read/channels.ts";
import { discordCourtesy } from "../read/people.ts";
import { type Interaction, readInteraction } from "../read/read.ts";
import { withIdSchema } from "../read/hearing.ts";
import { idAt, isNewer } from "../read/message.ts";
import type { DiscordCalls } from "../api/calls.ts";
import type { DiscordIdentity } from "./identity.ts";
import { acknowledge, turnAway } from "./acknowledge.ts";
import { createDiscordBacklog, type MissedDeps, READ_EVERY } from "./backlog.ts";
import type { Conceal } from "../../../src/ports/sealing.ts";
import { concealDiscordForm } from "./conceal.ts";
import { admitDispatch } from "./inbound.ts";
import { changedIn, type ThreadStart, type ListedChannel, vanishedOf } from "./removals.ts";
import type { InteractionTokens } from "../write/interaction-tokens.ts";
import { sayTo } from "./say-to.ts";
import { pause } from "../../../src/ports/host.ts";

/** Threads of this kind belong to no message of their channel. */
const PRIVATE: number = ChannelType.PrivateThread;
/** Extra time before the last event of a session, because clocks differ and events arrive late. */
const BEFORE: Millis = 3_600_000;
/** Age at which a message no longer gets an answer. Received ids are remembered for longer. */
const LONGEST: Millis = 2 * 24 * 3_600_000;

interface TakeDeps extends MissedDeps {
  readonly channels: Pick<Channels, "guildOf" | "inGuild">;
  readonly calls: DiscordCalls;
  readonly room: Pick<ChatInbox, "arrive" | "read" | "held" | "say" | "isEnabled" | "reopened">;
  readonly whispers: Pick<InteractionTokens, "keep">;
  readonly conceal: Conceal;
  /** Time of Discord's last event before this session. */
  readonly heardAt: Millis;
  /** Direct message channels with conversations, the latest first. */
  direct(): readonly string[];
  readonly self: Pick<DiscordIdentity, "bot">;
  /** Ids of messages that the thread's conversation contains. */
  readonly sources: (thread: Place) => readonly string[];
  /** Roots of a channel's threads with current or past conversations. */
  readonly roots: (place: string) => readonly string[];
  /** Threads of all channels with current or past conversations, the newest first. */
  readonly newest: () => readonly Place[];
  /** Whether the store contains a message of the thread. */
  readonly holds: (thread: Place) => boolean;
}

export type TakeDispatch = ReturnType<typeof createTake>;

export const createTake = (deps: TakeDeps) => {
  const { calls, log, room, ears } = deps;
  const pending = new Map<string, Promise<void>>();
  let heardAt = deps.heardAt;
  /** Time of the last event before the current session. */
  let silentSince = heardAt;
  /** Servers whose missed messages are unread, because a session was lost before it listed them (40.B). */
  const unread = new Map<string, Millis>();
  /** Servers are read one after the other, because five hundred at once would use up all calls. */
  let reading: Promise<void> = Promise.resolve();
  let closed = false;
  /** Time of the first event that the disk refused; null if all were stored. */
  let lostFrom: Millis | null = null;
  const guilds = new Set<string>();

  /** Forgets the threads of a deleted channel, because Discord sends no event for them (WD6). */
  const forgetThreads = async (data: unknown): Promise<void> => {
    const read = channelSchema.safeParse(data);
    if (!read.success) return;
    const { id: parent, guild_id: guild } = read.data;
    for (const id of deps.roots(parent))
      await keep("THREAD_DELETE", { id, guild_id: guild, parent_id: parent });
  };

  const keep = async (type: string, data: unknown): Promise<InboundResult> => {
    const arrival = admitDispatch(type, data, ears);
    if (arrival === null) return { kind: "known" };
    const arrived = await room.arrive(arrival);
    if (arrived.kind === "failed") {
      lostFrom ??= deps.clock.now();
      log.error("discord: event not stored", { id: arrival.id, why: arrived.message });
    }
    return arrived;
  };

  const interact = async (data: unknown, one: Interaction): Promise<void> => {
    const kept = await keep("INTERACTION_CREATE", concealDiscordForm(data, one, deps.conceal));
    if (kept.kind === "failed") await turnAway(calls, log, one, kept.message, sayTo(one, room.say));
    if (kept.kind !== "stored") return;
    const { application, token } = one;
    if (await acknowledge(calls, log, one, room.held, sayTo(one, room.say)))
      deps.whispers.keep(one.channel, one.person, { application, token });
  };

  const meet = (data: unknown): void => {
    const one = readInteraction(data);
    if (one === null || pending.has(one.id)) return;
    const ended = interact(data, one);
    pending.set(one.id, ended);
    void ended.finally(() => pending.delete(one.id));
  };

  const readMissed = (
    { id, channels, threads }: z.output<typeof guildSchema>,
    since: string,
  ): Promise<void> => {
    const isNews = ({ last_message_id: newest }: { readonly last_message_id?: string | null | undefined }) =>
      typeof newest !== "string" || isNewer(newest, since);
    return room.read(createDiscordBacklog(deps, id), [
      ...channels
        .filter((one) => room.isEnabled(one.id) && !ears.isForum(one.id) && isNews(one))
        .map((one): Source => ({ place: one.id, root: null, since })),
      ...threads
        .filter((one) => room.isEnabled(one.parent_id) || ears.knows(one.parent_id, one.id))
        .filter(isNews)
        .map((one): Source => ({ place: one.parent_id, root: one.id, since })),
    ]);
  };

  /** After the disk accepts writes again, reads everything since the first refused event (40.B). */
  const rereadAll = async (): Promise<void> => {
    const since = sinceSilence(Math.min(silentSince, lostFrom ?? silentSince));
    lostFrom = null;
    if (closed) return;
    for (const id of guilds) {
      const look = (): Promise<unknown> => calls.call("GET", `/guilds/${id}/threads/active`);
      const read = await discordCourtesy(log, "discord: open threads not read", look, { guild: id });
      const active = activeSchema.safeParse(read);
      const threads = active.success ? active.data.threads : [];
      const channels = deps.channels.inGuild(id).map((channel) => ({ id: channel, type: 0 }));
      await readMissed({ id, channels, threads }, since);
      if (closed) return;
    }
    await catchUpDirect();
  };

  /**
   * Reads missed messages of a server's open conversations, new mentions in enabled channels, and then
   * deletions.
   */
  const catchUp = async (data: unknown): Promise<void> => {
    const guild = guildSchema.safeParse(data);
    if (!guild.success) return;
    const { id, channels, threads } = guild.data;
    guilds.add(id);
    await readMissed(guild.data, sinceSilence(unread.get(id)));
    unread.delete(id);
    // The store is closed next.
    if (closed) return;
    for (const { id: root, parent_id: parent, type } of threads) {
      if (closed) return;
      const sources = ears.knows(parent, root) ? deps.sources({ place: parent, root }) : [];
      if (sources.length === 0) continue;
      await readChanges(id, { place: parent, root }, sources, firstOf(parent, type));
      await pause(deps.clock, READ_EVERY);
    }
    if (!closed) await forgetVanished(id, channels, threads);
  };

  /** Forgets threads that were deleted during a gap, alone or with their channel (WD6). */
  const forgetVanished = async (
    guild: string,
    channels: readonly ListedChannel[],
    open: readonly ListedChannel[],
  ): Promise<void> => {
    const isHere = (place: string): boolean =>
      channels.some(({ id }) => id === place) || deps.channels.guildOf(place) === "";
    const unseen = deps
      .newest()
      .filter(({ place, root }) => isHere(place) && !open.some(({ id }) => id === root))
      .filter(deps.holds);
    const look = () =>
      vanishedOf(
        { calls, clock: deps.clock, isClosed: () => closed, isForum: ears.isForum },
        unseen,
        channels,
      );
    const gone = await discordCourtesy(log, "discord: deleted threads not checked", look, {
      guild,
    });
    for (const { place, root } of gone ?? []) {
      if (closed) return;
      await keep("THREAD_DELETE", { id: root, guild_id: guild, parent_id: place });
    }
  };

  const firstOf = (parent: string, type: number): ThreadStart => {
    if (ears.isForum(parent)) return "thread";
    return type === PRIVATE ? "none" : "channel";
  };

  const readChanges = async (
    guild: string,
    thread: Place,
    sources: readonly string[],
    first: ThreadStart,
  ): Promise<void> => {
    const look = () => changedIn(calls, thread, sources, first);
    const facts = { thread: thread.root };
    const found = await discordCourtesy(log, "discord: deleted messages not checked", look, facts);
    for (const { channel, id } of found?.deleted ?? []) {
      if (closed) return;
      await keep("MESSAGE_DELETE", { channel_id: channel, guild_id: guild, id });
    }
    for (const message of found?.edited ?? []) {
      if (closed) return;
      await keep("MESSAGE_UPDATE", { ...message, guild_id: guild });
    }
  };

  /**
   * Discord announces a direct channel only with its first message. The ledger lists the channels with
   * earlier messages.
   */
  const catchUpDirect = async (): Promise<void> => {
    if (closed) return;
    const since = sinceSilence();
    const places = deps.direct().map((channel): Source => ({ place: channel, root: channel, since }));
    await room.read(createDiscordBacklog(deps, null), places);
  };

  const sinceSilence = (silent = silentSince): string => {
    const now = deps.clock.now();
    return idAt(Math.max(now - LONGEST, Math.min(now, silent) - BEFORE));
  };

  return {
    hear: (type: string, data: unknown) => {
      if (type === "READY") {
        silentSince = heardAt;
        for (const { id } of readySchema.safeParse(data).data?.guilds ?? [])
          unread.set(id, unread.get(id) ?? heardAt);
        reading = reading.then(catchUpDirect);
      }
      heardAt = deps.clock.now();
      const changed = changedBy(type, data, deps.self.bot);
      if (changed !== null) room.reopened(changed.place);
      switch (type) {
        case "INTERACTION_CREATE":
          meet(data);
          return;
        case "GUILD_CREATE":
          reading = reading.then(() => catchUp(data));
          return;
        case "CHANNEL_DELETE":
          void forgetThreads(data);
          return;
        default:
          void keep(type, data);
      }
    },
    /** Called when the disk accepts writes again. */
    stored: () => {
      reading = reading.then(rereadAll);
    },
    /** Resolves when the acknowledgement of the interaction has ended; at once if none is running. */
    acknowledged: (interaction: string): Promise<void> => pending.get(interaction) ?? Promise.resolve(),
    close: () => {
      closed = true;
    },
  };
};

/**
 * Returns the place where the bot's permissions may have changed: a channel, a thread, or anywhere (`place`
 * null). Null for any other event.
 */
const changedBy = (type: string, data: unknown, bot: string): { readonly place: string | null } | null => {
  switch (type) {
    case "CHANNEL_UPDATE":
    case "THREAD_UPDATE": {
      const read = withIdSchema.safeParse(data);
      return read.success ? { place: read.data.id } : null;
    }
    case "GUILD_MEMBER_UPDATE": {
      const read = memberSchema.safeParse(data);
      return read.success && read.data.user.id === bot ? { place: null } : null;
    }
    case "GUILD_ROLE_UPDATE":
    case "GUILD_CREATE":
      return { place: null };
    default:
      return null;
  }
};

const readySchema = z.object({ guilds: z.array(withIdSchema) });
const memberSchema = z.object({ user: withIdSchema });
const channelSchema = withIdSchema.extend({ guild_id: z.string() });
const last = z.string().nullish();
const guildSchema = z.object({
  id: z.string(),
  channels: z.array(z.object({ id: z.string(), type: z.int(), last_message_id: last })),
  threads: z.array(z.object({ id: z.string(), parent_id: z.string(), type: z.int(), last_message_id: last })),
});
const activeSchema = guildSchema.pick({ threads: true });
