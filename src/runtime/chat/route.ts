import type { AuthorNow, Authors } from "../../ports/authors.ts";
import type { ReadThread } from "../../ports/answers.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { Place } from "../../ports/conversation.ts";
import type { RunAtLeader } from "../../ports/ownership.ts";
import type { Requests } from "../../ports/questions.ts";
import type { NewThreads } from "../../ports/threads.ts";

export interface Routes {
  readonly threads: NewThreads;
  readonly requests: Requests;
  readonly authors: Authors;
  readonly readThread: (surface: string, ...thread: Parameters<ReadThread>) => ReturnType<ReadThread>;
  readonly link: (surface: string, thread: Pick<Place, "place" | "root">) => Promise<string | null>;
}

/** Only the leader has connections to the platforms. */
export const ledRoutes = (own: Routes, led: RunAtLeader): Routes => ({
  ...led("routes", own, (by) => ({
    ...own,
    readThread: by("readThread", own.readThread, null),
    link: by("link", own.link, null),
  })),
  requests: led("requests", own.requests, (by) => ({ weigh: by("weigh", own.requests.weigh, null) })),
  authors: led("authors", own.authors, (by) => ({ author: by("author", own.authors.author, UNREAD) })),
  threads: led("threads", own.threads, (by) => ({
    ...own.threads,
    // Opening continues when the caller ends, because a repeated call returns the same thread.
    open: by("open", (from, thread) => own.threads.open(from, thread, NEVER), { kind: "ended" }),
  })),
});

const UNREAD: AuthorNow = { kind: "unread" };
const NEVER = new AbortController().signal;

/** Conversations of other surfaces need no threads and have no requests, and their readers are unknown. */
export const routeTo = (
  surfaces: () => readonly Pick<
    ChatSurface,
    "name" | "threads" | "weigh" | "author" | "readThread" | "link"
  >[],
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
    authors: {
      author: async (id, speaker) =>
        (await surfaceOf(speaker.id.split(":")[0] ?? "")?.author(id, speaker)) ?? null,
    },
    readThread: async (name, ...asked) => (await surfaceOf(name)?.readThread(...asked)) ?? null,
    link: async (name, thread) => (await surfaceOf(name)?.link(thread)) ?? null,
  };
};
