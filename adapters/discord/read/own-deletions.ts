/**
 * Messages that the app takes away itself: its progress, with every answer. Discord tells of each deletion without a word
 * of whose message it was, and these were nobody's words. Owns: the ids of the newest.
 */

import { createLruCache } from "../../../src/text/remembered.ts";
import type { DiscordCalls } from "../api/calls.ts";

const REMEMBERED = 5_000;
const MESSAGE = /^\/channels\/\d+\/messages\/(\d+)$/;

export const createOwnDeletions = (calls: DiscordCalls) => {
  const deleted = createLruCache<true>(REMEMBERED);
  return {
    /** The same calls, of which deletions are remembered. */
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
