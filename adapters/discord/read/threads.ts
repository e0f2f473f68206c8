/**
 * Which channel a thread is in: messages do not tell. From what the gateway tells, else asked of Discord, which is
 * needed after a restart and for private threads. Owns: the
 * channel of each thread that is open; a thread that is archived is told of again before anything happens in it.
 */

import * as z from "zod";
import { readThreadEvents } from "../listen/thread-events.ts";
import type { Calls } from "../write/api.ts";
import type { Channels } from "./channels.ts";

/** Where messages of a channel id stand. */
export interface Spot {
  readonly place: string;
  /** The thread; null in a channel itself. Of direct messages place and root are the one channel. */
  readonly root: string | null;
}

export interface Threads {
  /** A dispatch of the gateway. */
  hear(type: string, data: unknown): void;
  /** The channel of an open thread; null where the id is none that was told of. */
  parent(thread: string): string | null;
  /** Rejects with what Discord says of the channel. */
  spot(channel: string): Promise<Spot>;
}

export const createThreads = (calls: Calls, { isChannel }: Pick<Channels, "isChannel">): Threads => {
  const parents = new Map<string, string>();
  const seen = ({ id, parent_id: parent, thread_metadata: metadata }: z.output<typeof thread>): void => {
    if (metadata.archived) parents.delete(id);
    else parents.set(id, parent);
  };
  return {
    hear: readThreadEvents({ thread, seen, gone: (id) => parents.delete(id) }),
    parent: (id) => parents.get(id) ?? null,
    spot: async (id) => {
      const known = parents.get(id);
      if (known !== undefined) return { place: known, root: id };
      if (isChannel(id)) return { place: id, root: null };
      return spotOf(channel.parse(await calls.call("GET", `/channels/${id}`)));
    },
  };
};

export const THREADS: readonly number[] = [10, 11, 12];
export const DIRECT: readonly number[] = [1, 3];

/** Of a channel as interactions and answers carry it. */
export const spotOf = ({ id, type, parent_id: parent }: z.output<typeof channel>): Spot => {
  if (DIRECT.includes(type)) return { place: id, root: id };
  return THREADS.includes(type) && typeof parent === "string"
    ? { place: parent, root: id }
    : { place: id, root: null };
};

export const channel = z.object({ id: z.string(), type: z.int(), parent_id: z.string().nullish() });

const thread = z.object({
  id: z.string(),
  parent_id: z.string(),
  thread_metadata: z.object({ archived: z.boolean() }),
});
