/** What the bot wants of the chat platforms, by the one that a conversation lives on. */

import type { ChatSurface } from "../../ports/connection.ts";
import type { Requests } from "../../ports/questions.ts";
import type { NewThreads } from "../../ports/threads.ts";

/** Conversations of other surfaces need no threads, and nobody there asks without the right to. */
export const routeTo = (
  surfaces: readonly Pick<ChatSurface, "name" | "threads" | "weigh">[],
): { readonly threads: NewThreads; readonly requests: Requests } => {
  const threadsOf = (name: string): NewThreads | undefined =>
    surfaces.find((one) => one.name === name)?.threads;
  return {
    threads: {
      open: (from, ...opening) =>
        threadsOf(from.surface)?.open(from, ...opening) ?? Promise.resolve({ kind: "none" }),
      joined: (from, ...given) => threadsOf(from.surface)?.joined(from, ...given) ?? Promise.resolve(),
    },
    requests: {
      weigh: async (...asked) => {
        const weighed = await Promise.all(surfaces.map((one) => one.weigh(...asked)));
        return weighed.find((one) => one !== null) ?? null;
      },
    },
  };
};
