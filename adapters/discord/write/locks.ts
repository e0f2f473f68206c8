/**
 * Which threads moderators have locked, from what the gateway tells. An app with Manage Threads could write to them, and
 * Parley never does. Owns: the ids of locked threads.
 */

import * as z from "zod";
import { readThreadEvents } from "../listen/thread-events.ts";

export interface Locks {
  /** A dispatch of the gateway. */
  hear(type: string, data: unknown): void;
  isLocked(thread: string): boolean;
}

export const createLocks = (): Locks => {
  const locked = new Set<string>();
  const seen = ({ id, thread_metadata: metadata }: z.output<typeof thread>): void => {
    if (metadata.locked) locked.add(id);
    else locked.delete(id);
  };
  return {
    hear: readThreadEvents({ thread, seen, gone: (id) => locked.delete(id) }),
    isLocked: (id) => locked.has(id),
  };
};

const thread = z.object({ id: z.string(), thread_metadata: z.object({ locked: z.boolean() }) });
