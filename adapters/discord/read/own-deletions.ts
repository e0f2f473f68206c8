/**
 * Tracks messages that the app deletes itself, such as the progress message after every answer. Discord's
 * deletion event does not name the author, and these messages are no person's. Owns: the ids of the newest
 * deletions.
 */

import { createLruCache } from "../../../src/text/lru-cache.ts";
import type { DiscordCalls } from "../api/calls.ts";

const REMEMBERED = 5_000;
const MESSAGE = /^\/channels\/\d+\/messages\/(\d+)$/;

export const createOwnDeletions = (calls: DiscordCalls) => {
  const deleted = createLruCache<true>(REMEMBERED);
  return {
    /** The given calls, extended to remember deletions. */
    calls: {
      ...calls,
      call: (method, route, request) => {
        const [, id] = MESSAGE.exec(route) ?? [];
        if (method === "DELETE" && id !== undefined) deleted.set(id, true);
        return calls.call(method, route, request);
      },
    } satisfies DiscordCalls,
    isOurs: (message: string): boolean => deleted.get(message) === true,
  };
};
