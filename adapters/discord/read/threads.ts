/**
 * Finds a thread's channel, because messages do not name the channel. Gateway events name it; after a restart, and for private
 * threads, Discord is queried. Also tracks locked threads: an app with Manage Threads could write there, but Parley never does.
 * Owns: the channel of each open thread, the ids of locked and of private threads, and the names of threads that start with
 * their first post. Discord announces an archived thread again before any event in the thread.
 */

import { ChannelType } from "discord-api-types/v10";
import * as z from "zod";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { channel, readDiscordChannel } from "./channel.ts";
import type { Channels } from "./channels.ts";
import { hearing, dispatchByType, withIdSchema } from "./hearing.ts";

export interface ThreadLocation {
  readonly place: string;
  /** The thread; null in a channel itself. In direct messages, place and root are the same channel. */
  readonly root: string | null;
}

export type DiscordThreads = ReturnType<typeof createThreads>;

export const createThreads = (calls: DiscordCalls, { isChannel }: Pick<Channels, "isChannel">) => {
  const parents = new Map<string, string>();
  const names = createLruCache<string>(REMEMBERED);
  const locked = new Set<string>();
  const hidden = new Set<string>();
  const unstarted = createLruCache<string>(REMEMBERED);
  const seen = ({
    id,
    type,
    name,
    parent_id: parent,
    thread_metadata: metadata,
  }: z.output<typeof thread>): void => {
    if (name !== undefined) names.set(id, name);
    unstarted.forget(id);
    if (metadata.archived) parents.delete(id);
    else if (parent !== undefined) parents.set(id, parent);
    if (type === PRIVATE) hidden.add(id);
    if (metadata.locked) locked.add(id);
    else locked.delete(id);
  };
  const all = hearing(many, ({ threads }) => threads.forEach(seen));
  return {
    hear: dispatchByType({
      THREAD_CREATE: hearing(thread, seen),
      THREAD_UPDATE: hearing(thread, seen),
      GUILD_CREATE: all,
      THREAD_LIST_SYNC: all,
      THREAD_DELETE: hearing(withIdSchema, ({ id }) => {
        parents.delete(id);
        locked.delete(id);
        hidden.delete(id);
      }),
    }),
    /** Null if the gateway has not named the id as a thread. */
    nameOf: (id: string): string | null => names.get(id) ?? null,
    /** Whether the thread is limited to invited people. */
    isPrivate: (id: string): boolean => hidden.has(id),
    isLocked: (id: string): boolean => locked.has(id),
    /** Marks a thread as unlocked after a response of Discord, because the event may be lost. */
    unlocked: (id: string) => void locked.delete(id),
    /** Registers a thread that starts with its first post on the message, under this name. */
    awaits: (root: string, name: string) => {
      if (!parents.has(root)) unstarted.set(root, name);
    },
    /** Planned name of a thread that does not exist yet; null if no thread is planned. */
    unstarted: (root: string): string | null => unstarted.get(root) ?? null,
    started: (root: string) => unstarted.forget(root),
    /** Channel of an open thread; null if the id is no known thread. */
    parent: (id: string): string | null => parents.get(id) ?? null,
    /** Rejects with Discord's error. */
    spot: async (id: string): Promise<ThreadLocation> => {
      const known = parents.get(id);
      if (known !== undefined) return { place: known, root: id };
      if (isChannel(id)) return { place: id, root: null };
      return spotOf(await readDiscordChannel(calls, id));
    },
  };
};

const REMEMBERED = 5_000;

const PRIVATE: number = ChannelType.PrivateThread;

export const THREAD_TYPES: readonly number[] = [10, 11, 12];
export const DIRECT: readonly number[] = [1, 3];

/** The channel fields of interactions. */
export const placed = channel.pick({ id: true, type: true, parent_id: true });

export const spotOf = ({ id, type, parent_id: parent }: z.output<typeof placed>): ThreadLocation => {
  if (DIRECT.includes(type)) return { place: id, root: id };
  return THREAD_TYPES.includes(type) && typeof parent === "string"
    ? { place: parent, root: id }
    : { place: id, root: null };
};

const thread = withIdSchema.extend({
  type: z.int().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  parent_id: z.string().optional(),
  thread_metadata: z.object({ archived: z.boolean().default(false), locked: z.boolean().default(false) }),
});
const many = z.object({ threads: z.array(thread) });
