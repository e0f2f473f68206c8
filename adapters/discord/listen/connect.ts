/**
 * What the gateway tells, taken: kept, acknowledged, handled; and what was missed while no session ran, read back.
 * Messages need no acknowledgement and have none: what was not kept when the process died is read back at the next start.
 */

import { ChannelType } from "discord.js";
import * as z from "zod";
import type { Millis } from "../../../src/machine/id.ts";
import type { Arrived, Inbox } from "../../../src/ports/chat.ts";
import type { Place } from "../../../src/ports/conversation.ts";
import type { Clock, Log } from "../../../src/ports/host.ts";
import { unreadOf } from "../read/people.ts";
import { type Interaction, readInteraction } from "../read/read.ts";
import { idAt, isNewer } from "../read/message.ts";
import type { Calls } from "../write/api.ts";
import { acknowledge, turnAway } from "./acknowledge.ts";
import { admit, type Ears } from "./inbound.ts";
import { behindLost, notTaken, readMessage, type ReadMessage } from "./restored-backup.ts";
import { deletedOf, type First } from "./removals.ts";
import type { InteractionTokens } from "./interaction-tokens.ts";

/** Hangs on no message of its channel. */
const PRIVATE: number = ChannelType.PrivateThread;
/** How far back messages are looked for before the last that a session told of: clocks differ, and events come late. */
const BEFORE: Millis = 3_600_000;
/** After so long nobody waits for an answer any more. What arrived is known for longer than that. */
const LONGEST: Millis = 2 * 24 * 3_600_000;
const PAGE = 100;
const MOST_PAGES = 50;
/** A fifth of the calls that a bot may make in a second. */
const READ_EVERY: Millis = 100;
/** Waits until a place that could not be read is read again; the last one again and again. */
const AGAIN: readonly Millis[] = [5_000, 10_000, 20_000, 60_000];
const LONGEST_WAIT: Millis = 5 * 60_000;

export interface TakeDeps {
  readonly calls: Calls;
  readonly clock: Clock;
  readonly log: Log;
  readonly inbox: Pick<Inbox, "arrive">;
  readonly ears: Ears;
  readonly whispers: Pick<InteractionTokens, "keep">;
  /** When Discord last told something, before this session. */
  readonly heardAt: Millis;
  /** Channels of direct messages in which there are conversations, those of late first. */
  direct(): readonly string[];
  /** The place has a repository: mentions in it may have been missed. */
  readonly isEnabled: (place: string) => boolean;
  /** Ids of messages that the thread's conversation holds. */
  readonly sources: (thread: Place) => readonly string[];
  /** The keys of all messages of the thread's conversation; none where there is none. */
  readonly wires: (thread: Place) => readonly string[];
}

export interface Take {
  /** A dispatch of the gateway. */
  hear(type: string, data: unknown): void;
  /** Settles when the interaction's acknowledgement has ended; at once where none is under way. */
  acknowledged(interaction: string): Promise<void>;
  /** Nothing more is read back. */
  close(): void;
}

export const createTake = (deps: TakeDeps): Take => {
  const { calls, log, inbox, ears, wires } = deps;
  const pending = new Map<string, Promise<void>>();
  let heardAt = deps.heardAt;
  /** When the session before this one last told something. */
  let silentSince = heardAt;
  /** One guild after the other: five hundred at once would leave no call for what happens now. */
  let reading: Promise<void> = Promise.resolve();
  let closed = false;

  const keep = async (type: string, data: unknown): Promise<Arrived> => {
    const arrival = admit(type, data, ears);
    if (arrival === null) return { kind: "known" };
    const arrived = await inbox.arrive(arrival);
    if (arrived.kind === "failed") {
      log.error("discord: what arrived could not be stored", { id: arrival.id, why: arrived.message });
    }
    return arrived;
  };

  const interact = async (data: unknown, one: Interaction): Promise<void> => {
    const kept = await keep("INTERACTION_CREATE", data);
    if (kept.kind === "failed") await turnAway(calls, log, one, kept.message);
    if (kept.kind !== "stored") return;
    const { application, token } = one;
    if (await acknowledge(calls, log, one))
      deps.whispers.keep(one.channel, one.person, { application, token });
  };

  const meet = (data: unknown): void => {
    const one = readInteraction(data);
    if (one === null || pending.has(one.id)) return;
    const ended = interact(data, one);
    pending.set(one.id, ended);
    void ended.finally(() => pending.delete(one.id));
  };

  /** What was missed in a server's open conversations, new mentions where Parley is enabled, and then what was deleted. */
  const catchUp = async (data: unknown): Promise<void> => {
    const guild = guildSchema.safeParse(data);
    if (!guild.success) return;
    const since = sinceSilence();
    const { id, channels, threads } = guild.data;
    const places = [
      ...channels
        .filter((one) => deps.isEnabled(one.id))
        .map(({ last_message_id: newest, ...one }) => ({ id: one.id, newest, thread: null })),
      ...threads
        .filter((one) => deps.isEnabled(one.parent_id) || ears.knows(one.parent_id, one.id))
        .map(({ last_message_id: newest, ...one }) => ({
          id: one.id,
          newest,
          thread: { place: one.parent_id, root: one.id },
        })),
    ].filter(({ newest }) => typeof newest !== "string" || isNewer(newest, since));
    for (const place of places) {
      if (closed) return;
      await readBack({ guild: id, channel: place.id, since, thread: place.thread });
      await rest(READ_EVERY);
    }
    for (const { id: root, parent_id: parent, type } of threads) {
      if (closed) return;
      const sources = ears.knows(parent, root) ? deps.sources({ place: parent, root }) : [];
      if (sources.length === 0) continue;
      await forgetGone(id, { place: parent, root }, sources, firstOf(parent, type));
      await rest(READ_EVERY);
    }
  };

  const firstOf = (parent: string, type: number): First => {
    if (ears.isForum(parent)) return "thread";
    return type === PRIVATE ? "none" : "channel";
  };

  const forgetGone = async (
    guild: string,
    thread: Place,
    sources: readonly string[],
    first: First,
  ): Promise<void> => {
    try {
      for (const { channel, id } of await deletedOf(calls, thread, sources, first)) {
        if (closed) return;
        await keep("MESSAGE_DELETE", { channel_id: channel, guild_id: guild, id });
      }
    } catch (error) {
      log.warn("discord: what was deleted could not be looked for", {
        thread: thread.root,
        why: unreadOf(error).why,
      });
    }
  };

  /** Discord tells a bot of no direct channel before somebody writes there; the ledger knows those in which somebody did. */
  const catchUpDirect = async (): Promise<void> => {
    for (const channel of deps.direct()) {
      if (closed) return;
      await readBack({
        guild: null,
        channel,
        since: sinceSilence(),
        thread: { place: channel, root: channel },
      });
      await rest(READ_EVERY);
    }
  };

  const sinceSilence = (): string => {
    const now = deps.clock.now();
    return idAt(Math.max(now - LONGEST, Math.min(now, silentSince) - BEFORE));
  };

  const rest = (wait: Millis): Promise<void> => new Promise((resume) => void deps.clock.after(wait, resume));

  /** What cannot be read now is read later: Discord tells nothing of it by itself while the session lasts. */
  const readBack = async (silence: Silence, tries = 0): Promise<void> => {
    const { guild, channel, since, thread } = silence;
    const { read, passing } = await pagesOf(channel, since);
    if (closed) return;
    if (passing) {
      deps.clock.after(AGAIN[tries] ?? LONGEST_WAIT, () => {
        if (!closed) reading = reading.then(() => readBack(silence, tries + 1));
      });
    }
    const left =
      thread === null
        ? await notTaken({ calls, bot: ears.self.bot, wires, knows: ears.knows }, channel, read)
        : behindLost({ bot: ears.self.bot, wires }, thread, read);
    for (const one of left) {
      if (closed) return;
      await keep("MESSAGE_CREATE", guild === null ? one : { ...one, guild_id: guild });
    }
  };

  /** Oldest first; as far as they can be read, and whether more of them may be read another time. */
  const pagesOf = async (
    channel: string,
    since: string,
  ): Promise<{ readonly read: readonly ReadMessage[]; readonly passing: boolean }> => {
    const read: ReadMessage[] = [];
    try {
      let after: string | null = since;
      for (let pages = 0; after !== null && pages < MOST_PAGES; pages += 1) {
        const query = { after, limit: String(PAGE) };
        const answer = await calls.call("GET", `/channels/${channel}/messages`, { query });
        const page = messages.parse(answer).toReversed();
        read.push(...page);
        after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
        if (after !== null) await rest(READ_EVERY);
      }
      if (after !== null) log.warn("discord: not all missed messages were read back", { channel });
      return { read, passing: false };
    } catch (error) {
      const { why, passing } = unreadOf(error);
      log.warn("discord: missed messages could not be read back", { channel, again: passing, why });
      return { read, passing };
    }
  };

  return {
    hear: (type, data) => {
      if (type === "READY") {
        silentSince = heardAt;
        reading = reading.then(catchUpDirect);
      }
      heardAt = deps.clock.now();
      switch (type) {
        case "MESSAGE_CREATE":
        case "MESSAGE_DELETE":
        case "MESSAGE_DELETE_BULK":
        case "THREAD_DELETE":
          void keep(type, data);
          return;
        case "INTERACTION_CREATE":
          meet(data);
          return;
        case "GUILD_CREATE":
          reading = reading.then(() => catchUp(data));
          return;
      }
    },
    acknowledged: (interaction) => pending.get(interaction) ?? Promise.resolve(),
    close: () => {
      closed = true;
    },
  };
};

/** A place in which something may have been said that nobody heard. */
interface Silence {
  readonly guild: string | null;
  readonly channel: string;
  readonly since: string;
  /** Null for what stands in the channel itself. */
  readonly thread: Place | null;
}

const messages = z.array(readMessage);
const last = z.string().nullish();
const guildSchema = z.object({
  id: z.string(),
  channels: z.array(z.object({ id: z.string(), type: z.int(), last_message_id: last })),
  threads: z.array(z.object({ id: z.string(), parent_id: z.string(), type: z.int(), last_message_id: last })),
});
