/**
 * A new thread: on a message of the bot's in a channel, as a post in a forum, or, where the old one was for some people
 * alone, as a private thread of theirs. Direct messages have one conversation at a time, which goes on below. Its first message carries the key of its conversation and is looked for before
 * it is sent, because the nonce that makes a repeat harmless is forgotten after some minutes.
 */

import type { Place } from "../../../src/ports/conversation.ts";
import type { Opened, Opener, Opening } from "../../../src/ports/threads.ts";
import { originLine } from "../../post/phrases.ts";
import { notice } from "../../post/render.ts";
import { readChannel } from "../read/channel.ts";
import { FORUMS } from "../read/channels.ts";
import { DIRECT, THREADS } from "../read/threads.ts";
import { bodyOf } from "./blocks.ts";
import { attempt } from "../api/failure.ts";
import { createPost } from "./forum-post.ts";
import { postMessage } from "./post-message.ts";
import { addToThread, startPrivateThread, startThread } from "./start-thread.ts";
import { nameOf } from "./thread-name.ts";
import { hasMark, messageIn, postOf, PRIVATE, privateThreadOf, type Sought } from "./opened.ts";
import { discordDialect } from "./render.ts";
import type { DiscordCalls } from "../api/calls.ts";

interface OpenDeps {
  readonly calls: DiscordCalls;
  self(): string | null;
}

export const createOpener = (deps: OpenDeps): Opener => ({
  open: (opening) => attempt(() => open(deps, opening)),
  link: (thread) => linkOf(deps.calls, thread),
});

const open = async ({ calls, self }: OpenDeps, opening: Opening): Promise<Opened> => {
  const bot = self();
  if (bot === null) return NOT_CONNECTED;
  const { place, root } = opening.from;
  const old = await readChannel(calls, root);
  if (DIRECT.includes(old.type)) return opening.why === "branch" ? NO_THREADS : here({ calls, opening, bot });
  if (!THREADS.includes(old.type) || old.guild_id === undefined) return NO_THREADS;
  const parent = await readChannel(calls, place);
  const sought: Sought = { calls, opening, bot, guild: old.guild_id };
  const made = await (FORUMS.includes(parent.type)
    ? post(sought, old.applied_tags)
    : PRIVATE.includes(old.type)
      ? privately(sought)
      : onMessage(sought));
  return { kind: "opened", thread: { place, root: made }, link: addressOf(old.guild_id, made) };
};

/** Of direct messages there is the one channel: what comes below goes on in it. */
const here = async (sought: Omit<Sought, "guild">): Promise<Opened> => {
  const { place, root } = sought.opening.from;
  if ((await messageIn(sought)) === null) await write(sought, place, sought.opening.say("the message above"));
  return { kind: "opened", thread: { place, root }, link: addressOf(OWN, root) };
};

/** A thread takes the id of its message. */
const onMessage = async (sought: Sought): Promise<string> => {
  const { calls, opening } = sought;
  const { place } = opening.from;
  const id = (await messageIn(sought)) ?? (await write(sought, place));
  await startThread(calls, place, id, threadName(opening));
  return id;
};

const post = async (sought: Sought, tags: readonly string[]): Promise<string> => {
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

/** For those who took part in the old one. */
const privately = async (sought: Sought): Promise<string> => {
  const { calls, opening } = sought;
  const name = threadName(opening);
  const before = await privateThreadOf(sought, name);
  const id = before ?? (await startPrivateThread(calls, opening.from.place, name));
  for (const person of opening.people) await addToThread(calls, id, person);
  if (!(await hasMark(sought, id))) await write(sought, id);
  return id;
};

const write = (
  { calls, opening }: Pick<Sought, "calls" | "opening">,
  where: string,
  from?: string,
): Promise<string> => postMessage(calls, where, opening.key, firstMessage(opening, from));

const firstMessage = (opening: Opening, above = `<#${opening.from.root}>`) => {
  const lead = originLine(opening, above, discordDialect(opening.say));
  return bodyOf(notice(lead), opening.key);
};

const threadName = ({ title, mode, why }: Opening): string =>
  nameOf(why === "branch" ? `${mode}: ${title}` : title);

const linkOf = async (calls: DiscordCalls, { root }: Place): Promise<string | null> => {
  const there = await readChannel(calls, root).catch(() => null);
  if (there === null) return null;
  const guild = DIRECT.includes(there.type) ? OWN : there.guild_id;
  return guild === undefined ? null : addressOf(guild, root);
};

/** In addresses it stands where a server's id would. */
const OWN = "@me";

const addressOf = (guild: string, thread: string): string =>
  `https://discord.com/channels/${guild}/${thread}`;

/** Who the bot is comes with the first event of the gateway, some moments after the start. */
const NOT_CONNECTED: Opened = { kind: "throttled", retryAfter: 250 };

const NO_THREADS: Opened = {
  kind: "refused",
  why: "there are no threads in direct messages; in a server's channel there are",
  permanent: true,
};
