/** Reads a repository when a channel is bound to it, and the listed repositories at start (39.B3). */

import type { ChatStore } from "../ports/chat-rows.ts";
import type { Repo } from "../ports/conversation.ts";
import { createRepos } from "../runtime/channels/repos.ts";
import type { ReadAhead } from "../workspace/mirror/ahead.ts";

export const createReadsAhead = <Rows extends Pick<ChatStore, "bind">>(chat: Rows) => {
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  let read: ReadAhead | null = null;

  const begin = (work: Promise<void>): void => {
    running.add(work);
    void work.finally(() => running.delete(work));
  };

  return {
    /** `bind` also starts to read the repository of the new binding. */
    chat: {
      ...chat,
      bind: async (...given: Parameters<ChatStore["bind"]>) => {
        const done = await chat.bind(...given);
        if (done.kind === "done" && read !== null) begin(read(given[2].repo, ending.signal));
        return done;
      },
    },
    start: (listed: readonly Repo[], ahead: ReadAhead): void => {
      read = ahead;
      const all = async (): Promise<void> => {
        for (const repo of listed) if (!ending.signal.aborted) await ahead(repo, ending.signal);
      };
      begin(all());
    },
    close: async (): Promise<void> => {
      ending.abort();
      await Promise.all(running);
    },
  };
};

export const listedRepos = (entries: readonly string[]): readonly Repo[] => {
  const repos = createRepos(entries);
  return repos.choices([]).flatMap((name) => {
    const found = repos.resolve(name);
    return found.kind === "repo" ? [found.repo] : [];
  });
};
