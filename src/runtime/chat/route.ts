/** What the bot wants of the chat platforms, by the one that a conversation lives on. */

import type { ReadThread } from "../../ports/answers.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { Place } from "../../ports/conversation.ts";
import type { RunAtLeader } from "../../ports/ownership.ts";
import type { Requests } from "../../ports/questions.ts";
import type { NewThreads } from "../../ports/threads.ts";

export interface Routes {
  readonly threads: NewThreads;
  readonly requests: Requests;
  /** What a platform says of a thread of the surface; null where it does not say. */
  readonly readThread: (surface: string, ...thread: Parameters<ReadThread>) => ReturnType<ReadThread>;
  /** The address of a thread, as people open it. */
  readonly link: (surface: string, thread: Pick<Place, "place" | "root">) => Promise<string | null>;
}

/** Platforms are asked by the host that leads: it has their connections. */
export const ledRoutes = (own: Routes, led: RunAtLeader): Routes => ({
  ...led("routes", own, (by) => ({
    ...own,
    readThread: by("readThread", own.readThread, null),
    link: by("link", own.link, null),
  })),
  requests: led("requests", own.requests, (by) => ({ weigh: by("weigh", own.requests.weigh, null) })),
  threads: led("threads", own.threads, (by) => ({
    ...own.threads,
    // That its asker ends is no reason to leave it half done: asked again, it gives the same thread.
    open: by("open", (from, thread) => own.threads.open(from, thread, NEVER), { kind: "ended" }),
  })),
});

const NEVER = new AbortController().signal;

/** Conversations of other surfaces need no threads, nobody there asks without the right to, and nothing is known of their readers. */
export const routeTo = (
  surfaces: () => readonly Pick<ChatSurface, "name" | "threads" | "weigh" | "readThread" | "link">[],
): Routes => {
  const surfaceOf = (name: string) => surfaces().find((one) => one.name === name);
  const threadsOf = (name: string): NewThreads | undefined => surfaceOf(name)?.threads;
  return {
    threads: {
      open: (from, ...opening) =>
        threadsOf(from.surface)?.open(from, ...opening) ?? Promise.resolve({ kind: "none" }),
      joined: (from, ...given) => threadsOf(from.surface)?.joined(from, ...given) ?? Promise.resolve(),
    },
    requests: {
      weigh: async (...asked) => {
        const weighed = await Promise.all(surfaces().map((one) => one.weigh(...asked)));
        return weighed.find((one) => one !== null) ?? null;
      },
    },
    readThread: async (name, thread) => (await surfaceOf(name)?.readThread(thread)) ?? null,
    link: async (name, thread) => (await surfaceOf(name)?.link(thread)) ?? null,
  };
};
