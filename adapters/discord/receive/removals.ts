/**
 * Finds messages that were deleted or edited while no session was active. A message of a live thread's conversation
 * is deleted if it is missing among Discord's newest messages. Older messages are not checked, and neither are
 * quotes of other people.
 */

import * as z from "zod";
import type { Place } from "../../../src/ports/conversation.ts";
import { type Clock, pause } from "../../../src/ports/host.ts";
import { isNewer } from "../read/message.ts";
import { isForbidden, isHidden, isUnknownChannel, isUnknownMessage } from "../api/failure.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { READ_EVERY } from "./backlog.ts";

const PAGE = 100;

export interface DeletedDispatch {
  readonly channel: string;
  readonly id: string;
}

/**
 * Location of the message whose id is the thread's: in the channel, in the thread (a forum's post), or
 * nowhere.
 */
export type ThreadStart = "channel" | "thread" | "none";

/** `edited`: data of the messages that have an edit. `sources`: ids of messages that the conversation contains. Rejects with Discord's error. */
export const changedIn = async (
  calls: DiscordCalls,
  { place, root }: Place,
  sources: readonly string[],
  first: ThreadStart,
): Promise<{
  readonly deleted: readonly DeletedDispatch[];
  readonly edited: readonly Record<string, unknown>[];
}> => {
  const query = { limit: String(PAGE) };
  const page = messages.parse(await calls.call("GET", `/channels/${root}/messages`, { query }));
  const there = new Set(page.map(({ id }) => id));
  const oldest = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
  const isLooked = (id: string): boolean =>
    (id !== root || first === "thread") && (oldest === null || isNewer(id, oldest));
  const gone = sources.filter((id) => isLooked(id) && !there.has(id)).map((id) => ({ channel: root, id }));
  const isBegun = first === "channel" && sources.includes(root) && !(await stands(calls, place, root));
  const deleted = isBegun ? [{ channel: place, id: root }, ...gone] : gone;
  const edited = page.filter(
    ({ id, edited_timestamp: at }) => typeof at === "string" && sources.includes(id),
  );
  return { deleted, edited };
};

export interface ListedChannel {
  readonly id: string;
}

/** Maximum number of threads to check after one gap. */
const MOST_ASKED = 50;

/**
 * Returns the threads that Discord no longer has (WD6). No list contains archived threads, so each thread is queried, and each
 * channel once. Only Discord's response that the thread does not exist counts. A message that never had a thread is a question
 * whose thread is not open yet. `listed`: channels that exist.
 */
export const vanishedOf = async (
  { calls, clock, isClosed, isForum }: VanishedDeps,
  threads: readonly Place[],
  listed: readonly ListedChannel[],
): Promise<readonly Place[]> => {
  const known = new Map(listed.map(({ id }) => [id, true]));
  let asked = 0;
  const unlisted = threads.slice(0, MOST_ASKED);
  const isThere = async (id: string): Promise<boolean> => {
    const before = known.get(id);
    if (before !== undefined) return before;
    asked += 1;
    await pause(clock, READ_EVERY);
    const there = await isKnown(calls, id);
    known.set(id, there);
    return there;
  };
  const gone: Place[] = [];
  for (const thread of unlisted) {
    if (asked >= MOST_ASKED || isClosed()) break;
    const isHere = await isThere(thread.place);
    // The message is read before its thread, so that a thread that opens in between does not count as
    // deleted.
    const mayBeGone = !isHere || isForum(thread.place) || !(await isUnopened(calls, thread));
    const isGone = !isHere || (mayBeGone && !(await isThere(thread.root)));
    if (isGone) gone.push(thread);
  }
  return gone;
};

interface VanishedDeps {
  readonly calls: DiscordCalls;
  readonly clock: Clock;
  readonly isClosed: () => boolean;
  readonly isForum: (channel: string) => boolean;
}

/** Whether the message exists and never had a thread. The first post then opens its thread. */
const isUnopened = async (calls: DiscordCalls, { place, root }: Place): Promise<boolean> => {
  try {
    const message = opener.parse(await calls.call("GET", `/channels/${place}/messages/${root}`));
    return (message.flags & HAS_THREAD) === 0;
  } catch (error) {
    if (isUnknownMessage(error)) return false;
    // Discord reports nothing about a channel that the bot must not read.
    if (isHidden(error) || isForbidden(error)) return true;
    throw error;
  }
};

const HAS_THREAD = 1 << 5;
const opener = z.object({ flags: z.int().default(0) });

/** A channel that the bot must not see still exists. */
const isKnown = async (calls: DiscordCalls, id: string): Promise<boolean> => {
  try {
    await calls.call("GET", `/channels/${id}`);
    return true;
  } catch (error) {
    if (isUnknownChannel(error)) return false;
    if (isHidden(error)) return true;
    throw error;
  }
};

const stands = async (calls: DiscordCalls, channel: string, id: string): Promise<boolean> => {
  try {
    await calls.call("GET", `/channels/${channel}/messages/${id}`);
    return true;
  } catch (error) {
    if (isUnknownMessage(error)) return false;
    throw error;
  }
};

const messages = z.array(z.looseObject({ id: z.string(), edited_timestamp: z.string().nullish() }));
