/** Discord's chat platform (src/ports/chat-platform.ts), for one action of a person in one server. */

import * as z from "zod";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import { createDownload, isServedBy } from "../../post/download.ts";
import type { DiscordIdentity } from "./identity.ts";
import { type DiscordInboundContext, discordMessageOf } from "./inbound.ts";
import { createDiscordPeople, type PeopleDeps, discordUnreadOf } from "../read/people.ts";
import type { ChannelReach } from "../read/reach.ts";
import type { createAudience } from "../read/thread-facts.ts";
import {
  type DiscordMessage,
  discordMessage,
  discordFilesOf,
  isNewer,
  millisOfSnowflake,
  repliedOf,
  type MemberInfo,
  discordContentOf,
  textOf,
} from "../read/message.ts";
import { createDiscordNotes, type NotesDeps } from "../write/notes.ts";
import { createPrivateQuestion, createDiscordPostedQuestion } from "../write/posted-question.ts";
import type { Label } from "../../../src/i18n/say.ts";
import type { ThreadMessage } from "../../../src/ports/chat.ts";
import { newestOf } from "../../text/newest.ts";
import type { DiscordCalls } from "../api/calls.ts";
import type { DiscordNames } from "../read/plain.ts";
import { displayNameOf } from "../read/visible.ts";
import { readDiscordChannel } from "../read/channel.ts";

interface PlatformDeps
  extends NotesDeps,
    PeopleDeps,
    Pick<DiscordInboundContext, "names" | "isForum" | "answers"> {
  readonly audience: ReturnType<typeof createAudience>;
  readonly reach: Pick<ChannelReach, "barrier">;
  readonly self: Pick<DiscordIdentity, "bot">;
  /** DISCORD_API_URL, whose host serves files too. */
  readonly apiUrl: string | undefined;
}

const DISCORD = /^(cdn\.discordapp\.com|media\.discordapp\.net)$/;

export interface MessageContext {
  /** Null in direct messages. */
  readonly guild: string | null;
  readonly channel: string;
  readonly person: string;
  /** Discord's member data for the person; null if too old. */
  readonly seen: MemberInfo | null;
  /** Whether a thread that is opened now is for the person alone. */
  readonly isPrivate: boolean;
}

export type PlatformFor = (matter: MessageContext) => ChatPlatform;

export const createDiscordPlatform = (deps: PlatformDeps): PlatformFor => {
  const { calls, apiUrl, reach } = deps;
  const people = createDiscordPeople(deps);
  const notes = createDiscordNotes(deps);
  const put = createDiscordPostedQuestion({ calls, isForum: deps.isForum, self: () => deps.self.bot });
  const privately = createPrivateQuestion(calls);
  const earlier = createEarlier(calls, deps.names);
  const tags = createTags(calls);
  const reread = createReread(calls, deps);
  const barrierOf =
    (guild: string | null, isPrivate: boolean): NonNullable<ChatPlatform["barrier"]> =>
    ({ place, root }, say) =>
      guild === null ? null : reach.barrier({ place, root, isPrivate }, say);
  // Discord serves files by address alone, so no token is sent.
  const fetch = createDownload({
    service: "Discord",
    isOurs: (url) => isServedBy(DISCORD, apiUrl, url),
    headers: {},
    why: ({ status }) =>
      status === 404 ? "Discord no longer has it, or its address has expired; send it again" : null,
  });
  return ({ guild, channel, person, seen, isPrivate }) => ({
    ...people.in(guild, seen),
    server: guild,
    isPrivate: ({ place, root, person: reader }) =>
      guild === null || deps.whispers.find(root ?? place, reader) !== null,
    whisper: notes.whisper,
    unpick: notes.unpick,
    bindsByItself: false,
    reread: reread(guild),
    earlier,
    shown: ({ shown }) => Promise.resolve(shown ?? []),
    tags,
    fetch,
    put: (where, question) => {
      const why = barrierOf(guild, isPrivate)(where, question.say);
      if (why !== null) return Promise.resolve({ kind: "refused", why });
      return (isPrivate && where.root === null ? privately : put)(where, question);
    },
    barrier: barrierOf(guild, isPrivate),
    audience: deps.audience(guild),
    link: (place, message) =>
      Promise.resolve(`https://discord.com/channels/${guild ?? "@me"}/${place}/${message}`),
    /**
     * A server gets one short pointer. The menu appears only in direct messages, where the menu disturbs no other person.
     */
    pick: (_where, picker) =>
      guild === null ? notes.menu(channel, picker) : notes.point(channel, person, picker.say(NOT_ENABLED)),
  });
};

export const NOT_ENABLED: Label =
  "I am not enabled here. A person who manages this server has to choose a repository: `/parley repo`. Then I answer.";

/** Type of the message that represents a thread's starter inside the thread. */
const STARTER = 21;
/** Types for messages of people and apps, and for the result of a poll. */
const WORDS: readonly number[] = [0, 19, 20, 23, 46];
const PAGE = 100;

/** Reads a thread back: earlier messages of people, oldest first, with their names. */
const createEarlier =
  (calls: DiscordCalls, names: DiscordNames): ChatPlatform["earlier"] =>
  async ({ place, root }, { since, until, limit, about }) => {
    try {
      const query = { before: until, limit: String(PAGE) };
      const page = messages.parse(await calls.call("GET", `/channels/${root}/messages`, { query }));
      const newer = page.filter(({ id }) => since === null || isNewer(id, since)).toReversed();
      const isFull = page.length === PAGE && newer.length === PAGE;
      const first = isFull && since === null && root !== place ? await firstOf(calls, root) : [];
      const all = [...first.filter(({ id }) => newer.every((one) => one.id !== id)), ...newer];
      // The starter of a thread is older than the thread's first message, so it comes first.
      const hangs = (since === null || isNewer(root, since)) && all.some(({ type }) => type === STARTER);
      const starter = hangs ? await starterOf(calls, place, root) : [];
      const wanted = [...starter, ...all.filter(({ type }) => WORDS.includes(type))];
      const kept = newestOf(wanted, limit, ({ id }) => id === about);
      const told = new Set(kept.map(({ id }) => id));
      return {
        kind: "messages",
        messages: kept.map((one) => earlierOf(one, names, told)),
        cut: kept.length < wanted.length || isFull,
      };
    } catch (error) {
      return discordUnreadOf(error);
    }
  };

/** Returns the oldest message of a thread: a forum's post, or the entry for the thread's starter. */
const firstOf = async (calls: DiscordCalls, root: string): Promise<readonly DiscordMessage[]> => {
  const query = { after: "0", limit: "1" };
  return messages.parse(await calls.call("GET", `/channels/${root}/messages`, { query }));
};

/** Reads the starter from the channel; empty if it was deleted. */
const starterOf = async (
  calls: DiscordCalls,
  place: string,
  root: string,
): Promise<readonly DiscordMessage[]> => {
  const answer = await calls.call("GET", `/channels/${place}/messages/${root}`).catch(() => null);
  const read = discordMessage.safeParse(answer);
  return read.success ? [read.data] : [];
};

/** `told`: ids of messages that are read back. A reply to one of them needs no quote. */
const earlierOf = (
  message: DiscordMessage,
  names: DiscordNames,
  told: ReadonlySet<string>,
): ThreadMessage => {
  const { id, author, webhook_id: webhook } = message;
  const answered = repliedOf(message, names);
  const replied = answered === null || told.has(answered.id) ? null : answered;
  return {
    message: id,
    person: author.bot || webhook !== undefined ? null : author.id,
    ours: names.isSelf(author.id),
    author: displayNameOf(author),
    text: textOf(message, names),
    at: millisOfSnowflake(id),
    files: [...discordFilesOf(message), ...(replied?.files ?? [])],
    shown: [...(replied?.quotes ?? []), ...discordContentOf(message, names)],
  };
};

const messages = z.array(discordMessage);

/**
 * Reads the current text of a message whose handling was delayed. `guild`: null in direct messages; Discord's response does not
 * contain the server.
 */
const createReread =
  (calls: DiscordCalls, ears: Pick<DiscordInboundContext, "names" | "isForum" | "answers">) =>
  (guild: string | null): ChatPlatform["reread"] =>
  async ({ place, root }, id) => {
    const begins = guild !== null && root === id;
    const channel = begins ? place : root;
    const answer = await calls.call("GET", `/channels/${channel}/messages/${id}`).catch(() => null);
    const read = discordMessage.safeParse(answer);
    if (!read.success) return null;
    const message = guild === null ? read.data : { ...read.data, guild_id: guild };
    return discordMessageOf(message, { place, root: begins ? null : root }, ears);
  };

const createTags =
  (calls: DiscordCalls): ChatPlatform["tags"] =>
  async ({ place, root }) => {
    try {
      const { applied_tags: applied } = await readDiscordChannel(calls, root);
      if (applied.length === 0) return { kind: "tags", tags: [] };
      const { available_tags: available } = await readDiscordChannel(calls, place);
      return {
        kind: "tags",
        tags: available.flatMap(({ id, name }) => (applied.includes(id) ? [name] : [])),
      };
    } catch (error) {
      return discordUnreadOf(error);
    }
  };
