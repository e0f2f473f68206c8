/**
 * Reports a thread that Discord does not let the bot open or write: one line in the channel, in reply to the
 * question (WD5). The answer remains pending, and the deliverer tries again.
 */

import { DiscordAPIError } from "@discordjs/rest";
import type { Place } from "../../../src/ports/conversation.ts";
import { createLruCache } from "../../../src/text/lru-cache.ts";
import type { Say } from "../../../src/i18n/say.ts";
import { renderNotice } from "../../post/render.ts";
import type { DiscordCalls } from "../api/calls.ts";
import { isForbidden, isReplyForbidden, isUnknownMessage } from "../api/failure.ts";
import { findLine, putLine } from "./host-line.ts";

const REMEMBERED = 5_000;

export const createUnstarted = (calls: DiscordCalls, say: (place: string) => Say) => {
  /** Roots of threads that were reported. */
  const told = createLruCache<true>(REMEMBERED);

  const put = async ({ place, root }: Place, text: string): Promise<void> => {
    const key = `unstarted/${root}`;
    const line = (more: object): Promise<string> =>
      putLine(calls, place, key, renderNotice(text), NOBODY, more);
    try {
      if ((await findLine(calls, place, key).catch(() => null)) !== null) return;
      const reply = { message_reference: { message_id: root, fail_if_not_exists: false } };
      await line(reply).catch((error: unknown) => {
        if (!isReplyForbidden(error)) throw error;
        return line({});
      });
    } catch {
      // The channel accepts no message either, so no notice can be posted there.
    }
  };

  /** Reports each thread once, even after a crash. */
  return async (thread: Place, why: string): Promise<void> => {
    if (told.get(thread.root) === true || thread.place === thread.root) return;
    told.set(thread.root, true);
    await put(
      thread,
      say(thread.place)(
        "I cannot post the answer to this question: Discord refuses the thread ({why}). I will keep trying for a day.",
        { why },
      ),
    );
  };
};

const NOBODY = { parse: [] };

/** Returns why Discord refuses the thread; null for passing errors, and for a deleted question. */
export const threadRefusal = (error: unknown): string | null =>
  error instanceof DiscordAPIError &&
  (error.status === 400 || error.status === 403) &&
  !isUnknownMessage(error)
    ? whyOf(error)
    : null;

/** Returns why the thread accepts no message of the bot; null for any other failure. */
export const speechRefusal = (error: unknown): string | null =>
  error instanceof DiscordAPIError && isForbidden(error) ? whyOf(error) : null;

const whyOf = ({ message, code }: DiscordAPIError): string => `${message}, ${code}`;
