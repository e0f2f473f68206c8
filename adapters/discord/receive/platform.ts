/** Discord as the shared manners of chat see it (src/ports/chat-platform.ts), for one thing that a person did in one guild. */

import * as z from "zod";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import { createDownload, isServedBy } from "../../post/download.ts";
import type { DiscordIdentity } from "./identity.ts";
import { type DiscordInboundContext, saidOf } from "./inbound.ts";
import { createPeople, type PeopleDeps, unreadOf } from "../read/people.ts";
import type { ChannelReach } from "../read/reach.ts";
import type { createAudience } from "../read/thread-facts.ts";
import {
  type DiscordMessage,
  discordMessage,
  filesOf,
  isNewer,
  millisOf,
  repliedOf,
  type MemberInfo,
  shownOf,
  textOf,
} from "../read/message.ts";
import { createNotes, type NotesDeps } from "../write/notes.ts";
import { createPrivateQuestion, createPostedQuestion } from "../write/posted-question.ts";
import type { Label } from "../../../src/i18n/say.ts";
import type { Earlier } from "../../../src/ports/chat.ts";
import { newestOf } from "../../text/newest.ts";
import type { DiscordCalls } from "../api/calls.ts";
import type { DiscordNames } from "../read/plain.ts";
import { nameOf } from "../read/visible.ts";
import { readChannel } from "../read/channel.ts";

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

export interface Matter {
  /** Null in direct messages. */
  readonly guild: string | null;
  /** The channel or thread that it came from. */
  readonly channel: string;
  readonly person: string;
  /** What Discord said of the person with it; null where that is too long ago. */
  readonly seen: MemberInfo | null;
  /** A thread that is opened now is for the person alone. */
  readonly isPrivate: boolean;
}

export type PlatformFor = (matter: Matter) => ChatPlatform;

export const createDiscordPlatform = (deps: PlatformDeps): PlatformFor => {
  const { calls, apiUrl, reach } = deps;
  const people = createPeople(deps);
  const notes = createNotes(deps);
  const put = createPostedQuestion({ calls, isForum: deps.isForum, self: () => deps.self.bot });
  const privately = createPrivateQuestion(calls);
  const earlier = createEarlier(calls, deps.names);
  const tags = createTags(calls);
  const reread = createReread(calls, deps);
  const barrierOf =
    (guild: string | null, isPrivate: boolean): NonNullable<ChatPlatform["barrier"]> =>
    ({ place, root }, say) =>
      guild === null ? null : reach.barrier({ place, root, isPrivate }, say);
  // Discord serves files to anybody who has the address: no token goes along.
  const fetch = createDownload({
    service: "Discord",
    isOurs: (url) => isServedBy(DISCORD, apiUrl, url),
    headers: {},
    refusal: () => null,
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
    /** In a server one pointer; the menu is for direct messages, where nobody else is disturbed. */
    pick: (_where, picker) =>
      guild === null ? notes.menu(channel, picker) : notes.point(channel, person, picker.say(NOT_ENABLED)),
  });
};

export const NOT_ENABLED: Label =
  "I am not enabled here. A person who manages this server has to choose a repository: `/parley repo`. Then I answer.";

/** Stands in a thread for the message that it hangs on. */
const STARTER = 21;
/** Messages of people and apps, and the result of a poll. */
const WORDS: readonly number[] = [0, 19, 20, 23, 46];
const PAGE = 100;

/** A thread read back: what people wrote before, oldest first, with the names that they go by. */
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
      // The message that a thread hangs on is older than the thread's first: read before means told before.
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
      return unreadOf(error);
    }
  };

/** The oldest message of a thread: a forum's post, or the line that stands for the message that the thread hangs on. */
const firstOf = async (calls: DiscordCalls, root: string): Promise<readonly DiscordMessage[]> => {
  const query = { after: "0", limit: "1" };
  return messages.parse(await calls.call("GET", `/channels/${root}/messages`, { query }));
};

/** It stays in the channel, and may be gone. */
const starterOf = async (
  calls: DiscordCalls,
  place: string,
  root: string,
): Promise<readonly DiscordMessage[]> => {
  const answer = await calls.call("GET", `/channels/${place}/messages/${root}`).catch(() => null);
  const read = discordMessage.safeParse(answer);
  return read.success ? [read.data] : [];
};

/** `told`: ids of messages that are read back; a reply to one of them needs no quote of it. */
const earlierOf = (message: DiscordMessage, names: DiscordNames, told: ReadonlySet<string>): Earlier => {
  const { id, author, webhook_id: webhook } = message;
  const answered = repliedOf(message, names);
  const replied = answered === null || told.has(answered.id) ? null : answered;
  return {
    message: id,
    person: author.bot || webhook !== undefined ? null : author.id,
    ours: names.isSelf(author.id),
    author: nameOf(author),
    text: textOf(message, names),
    at: millisOf(id),
    files: [...filesOf(message), ...(replied?.files ?? [])],
    shown: [...(replied?.quotes ?? []), ...shownOf(message, names)],
  };
};

const messages = z.array(discordMessage);

/**
 * What somebody said, as it reads now: for what has waited since.
 * `guild`: null in direct messages. What Discord answers does not say.
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
    return saidOf(message, { place, root: begins ? null : root }, ears);
  };

/** The tags of a forum post, as its moderators call them. */
const createTags =
  (calls: DiscordCalls): ChatPlatform["tags"] =>
  async ({ place, root }) => {
    try {
      const { applied_tags: applied } = await readChannel(calls, root);
      if (applied.length === 0) return { kind: "tags", tags: [] };
      const { available_tags: available } = await readChannel(calls, place);
      return {
        kind: "tags",
        tags: available.flatMap(({ id, name }) => (applied.includes(id) ? [name] : [])),
      };
    } catch (error) {
      return unreadOf(error);
    }
  };
