/** Threads that are opened. */

import * as z from "zod";
import type { Calls } from "./api.ts";
import { isThreadThere } from "./failure.ts";

/** How long a thread without messages stays in everybody's list. */
export const ARCHIVED_AFTER = { auto_archive_duration: 1_440 } as const;

/** The thread that hangs on a message, whose id it takes; one that is there already is as good. */
export const startThread = async (
  calls: Calls,
  place: string,
  root: string,
  name: string,
): Promise<string> => {
  const answered = await calls
    .call("POST", `/channels/${place}/messages/${root}/threads`, { body: { name, ...ARCHIVED_AFTER } })
    .catch((error: unknown) => {
      if (!isThreadThere(error)) throw error;
      return { id: root };
    });
  return started.parse(answered).id;
};

const started = z.object({ id: z.string() });
