/**
 * Which threads moderators have locked, from what the gateway tells. An app with Manage Threads could write to them, and
 * Parley never does (issue 6 item 2). Owns: the ids of locked threads.
 */

import * as z from "zod";

export interface Locks {
  /** A dispatch of the gateway. */
  hear(type: string, data: unknown): void;
  isLocked(thread: string): boolean;
}

export const createLocks = (): Locks => {
  const locked = new Set<string>();
  const note = ({ id, thread_metadata: metadata }: z.output<typeof thread>): void => {
    if (metadata.locked) locked.add(id);
    else locked.delete(id);
  };
  return {
    hear: (type, data) => {
      switch (type) {
        case "THREAD_CREATE":
        case "THREAD_UPDATE": {
          const one = thread.safeParse(data);
          if (one.success) note(one.data);
          return;
        }
        case "GUILD_CREATE":
        case "THREAD_LIST_SYNC": {
          const all = many.safeParse(data);
          if (all.success) all.data.threads.forEach(note);
          return;
        }
        case "THREAD_DELETE": {
          const one = gone.safeParse(data);
          if (one.success) locked.delete(one.data.id);
          return;
        }
      }
    },
    isLocked: (id) => locked.has(id),
  };
};

const thread = z.object({ id: z.string(), thread_metadata: z.object({ locked: z.boolean() }) });
const many = z.object({ threads: z.array(thread) });
const gone = z.object({ id: z.string() });
