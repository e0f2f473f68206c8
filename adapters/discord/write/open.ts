/**
 * Opens a new thread: on a message of the bot in a channel, as a post in a forum, or as a private thread if
 * the old one was private. Direct messages have one conversation at a time, which continues below. The first
 * message carries the key of its conversation and is searched before it is sent, because Discord forgets the
 * nonce after some minutes.
 */

import type { Place } from "../../../src/ports/conversation.ts";
import type { OpenThreadResult, Opener, ThreadOpening } from "../../../src/ports/threads.ts";
import { originLine } from "../../post/phrases.ts";
import { renderNotice } from "../../post/render.ts";
import { readDiscordChannel } from "../read/channel.ts";
import { FORUMS } from "../read/channels.ts";
import { DIRECT, THREAD_TYPES } from "../read/threads.ts";
import { bodyOf } from "./blocks.ts";
import { attemptDiscordCall } from "../api/failure.ts";
import { createPost } from "./forum-post.ts";
import { postDiscordMessage } from "./post-message.ts";
import { addToThread, startPrivateThread, startThread } from "./start-thread.ts";
import { threadNameOf } from "./thread-name.ts";
import {
  hasThreadMark,
  messageIn,
  postOf,
  PRIVATE,
  privateThreadOf,
  type ThreadSearch,
} from "./thread-search.ts";
import { discordDialect } from "./render.ts";
import type { DiscordCalls } from "../api/calls.ts";

interface OpenDeps {
  readonly calls: DiscordCalls;
  self(): string | null;
}

export const createDiscordOpener = (deps: OpenDeps): Opener => ({
  open: (opening) => attemptDiscordCall(() => open(deps, opening)),
  link: (thread) => linkOf(deps.calls, thread),
});

const open = async ({ calls, self }: OpenDeps, opening: ThreadOpening): Promise<OpenThreadResult> => {
  const bot = self();
  if (bot === null) return NOT_CONNECTED;
  const { place, root } = opening.from;
  const old = await readDiscordChannel(calls, root);
  if (DIRECT.includes(old.type)) return opening.why === "branch" ? NO_THREADS : here({ calls, opening, bot });
  if (!THREAD_TYPES.includes(old.type) || old.guild_id === undefined) return NO_THREADS;
  const parent = await readDiscordChannel(calls, place);
  const sought: ThreadSearch = { calls, opening, bot, guild: old.guild_id };
  const made = await (FORUMS.includes(parent.type)
    ? post(sought, old.applied_tags)
    : PRIVATE.includes(old.type)
      ? privately(sought)
      : onMessage(sought));
  return { kind: "opened", thread: { place, root: made }, link: addressOf(old.guild_id, made) };
};

/** Direct messages have a single channel, so later messages continue in this channel. */
const here = async (sought: Omit<ThreadSearch, "guild">): Promise<OpenThreadResult> => {
  const { place, root } = sought.opening.from;
  if ((await messageIn(sought)) === null) await write(sought, place, sought.opening.say("the message above"));
  return { kind: "opened", thread: { place, root }, link: addressOf(OWN, root) };
};

/** A thread has the id of its message. */
const onMessage = async (sought: ThreadSearch): Promise<string> => {
  const { calls, opening } = sought;
  const { place } = opening.from;
  const id = (await messageIn(sought)) ?? (await write(sought, place));
  await startThread(calls, place, id, threadName(opening));
  return id;
};

const post = async (sought: ThreadSearch, tags: readonly string[]): Promise<string> => {
  const { calls, opening } = sought;
  const before = await postOf(sought);
  if (before !== null) return before;
  return createPost(calls, {
    forum: opening.from.place,
    name: threadName(opening),
    message: firstMessage(opening),
    wanted: tags,
  });
};

/** Opens a private thread for the participants of the old one. */
const privately = async (sought: ThreadSearch): Promise<string> => {
  const { calls, opening } = sought;
  const name = threadName(opening);
  const before = await privateThreadOf(sought, name);
  const id = before ?? (await startPrivateThread(calls, opening.from.place, name));
  for (const person of opening.people) await addToThread(calls, id, person);
  if (!(await hasThreadMark(sought, id))) await write(sought, id);
  return id;
};

const write = (
  { calls, opening }: Pick<ThreadSearch, "calls" | "opening">,
  where: string,
  from?: string,
): Promise<string> => postDiscordMessage(calls, where, opening.key, firstMessage(opening, from));

const firstMessage = (opening: ThreadOpening, above = `<#${opening.from.root}>`) => {
  const lead = originLine(opening, above, discordDialect(opening.say));
  return bodyOf(renderNotice(lead), opening.key);
};

const threadName = ({ title, mode, why }: ThreadOpening): string =>
  threadNameOf(why === "branch" ? `${mode}: ${title}` : title);

const linkOf = async (calls: DiscordCalls, { root }: Place): Promise<string | null> => {
  const there = await readDiscordChannel(calls, root).catch(() => null);
  if (there === null) return null;
  const guild = DIRECT.includes(there.type) ? OWN : there.guild_id;
  return guild === undefined ? null : addressOf(guild, root);
};

/** Replaces a server's id in addresses of direct messages. */
const OWN = "@me";

const addressOf = (guild: string, thread: string): string =>
  `https://discord.com/channels/${guild}/${thread}`;

/** The bot's identity arrives with the gateway's first event, some moments after the start. */
const NOT_CONNECTED: OpenThreadResult = { kind: "throttled", retryAfter: 250 };

const NO_THREADS: OpenThreadResult = {
  kind: "refused",
  why: "there are no threads in direct messages; in a server's channel there are",
  permanent: true,
};
