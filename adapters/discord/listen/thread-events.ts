/** What the gateway tells of threads: which are there, and which are gone. */

import * as z from "zod";

export interface ThreadEvents<T> {
  /** What is read of a thread. */
  readonly thread: z.ZodType<T>;
  readonly seen: (thread: T) => void;
  readonly gone: (id: string) => void;
}

/** For every dispatch of the gateway; those that are not about threads, or cannot be read, say nothing. */
export const readThreadEvents = <T>({ thread, seen, gone }: ThreadEvents<T>) => {
  const many = z.object({ threads: z.array(thread) });
  return (type: string, data: unknown): void => {
    switch (type) {
      case "THREAD_CREATE":
      case "THREAD_UPDATE": {
        const one = thread.safeParse(data);
        if (one.success) seen(one.data);
        return;
      }
      case "GUILD_CREATE":
      case "THREAD_LIST_SYNC": {
        const all = many.safeParse(data);
        if (all.success) all.data.threads.forEach((one) => seen(one));
        return;
      }
      case "THREAD_DELETE": {
        const one = deleted.safeParse(data);
        if (one.success) gone(one.data.id);
        return;
      }
    }
  };
};

const deleted = z.object({ id: z.string() });
