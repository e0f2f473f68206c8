/** Reads mirrors before the first thread of a repository needs them (39.B3). */

import { type RepositoryBinding, type Repo, reposOf } from "../../ports/conversation.ts";
import { attemptGit, sentence } from "../run/git-trouble.ts";
import type { Log } from "../../ports/host.ts";
import { unwatched } from "../run/shared-work.ts";
import type { Refresh } from "./mirror.ts";
import { readSource } from "./source.ts";

/** Resolves when the mirrors are read or have failed. A thread that starts in the meantime joins the same read. */
export type ReadAhead = (bound: RepositoryBinding, signal: AbortSignal) => Promise<void>;

export const createReadAhead = ({
  log,
  refresh,
  swept,
}: {
  readonly log: Pick<Log, "info">;
  readonly refresh: Refresh;
  readonly swept: () => Promise<void>;
}): ReadAhead => {
  const readOne = async (repo: Repo, signal: AbortSignal): Promise<void> => {
    const read = readSource(repo);
    if (read.kind === "refused") return;
    const { source } = read;
    const answer = await attemptGit(async () => {
      await swept();
      await refresh(source, unwatched(signal));
    });
    if (answer.kind === "trouble")
      log.info("mirror: repository not read ahead", { why: sentence(answer.trouble, source.name) });
  };

  return async (bound, signal) => {
    for (const repo of reposOf(bound)) if (!signal.aborted) await readOne(repo, signal);
  };
};
