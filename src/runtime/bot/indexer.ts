/**
 * Keeps the search index up with what is said, a part at a time and never in the way: a while after something was
 * stored, when somebody searches, and at start what was written before.
 */

import type { Search, Searching } from "../../ports/store.ts";
import type { Millis } from "../../machine/id.ts";
import type { Clock, Log } from "../../ports/host.ts";

const SOON: Millis = 2_000;
const AGAIN: Millis = 60_000;

interface Indexer extends Pick<Searching, "catchUp"> {
  heard(): void;
  /** Settles when nothing is being written. */
  close(): Promise<void>;
}

export const createIndexer = ({
  search,
  clock,
  log,
}: {
  readonly search: Pick<Search, "index">;
  readonly clock: Clock;
  readonly log: Log;
}): Indexer => {
  let cancel: (() => void) | null = null;
  let running: Promise<void> | null = null;
  let closed = false;

  const later = (delay: Millis): void => {
    if (closed || cancel !== null) return;
    cancel = clock.after(delay, () => {
      cancel = null;
      void catchUp();
    });
  };

  const work = async (): Promise<void> => {
    const done = await search.index();
    if (done.kind === "failed") {
      log.warn("what was said could not be taken into the search index; it is tried again", {
        code: done.code,
      });
      return later(AGAIN);
    }
    if (!done.isDone && !closed) await work();
  };

  const catchUp = async (): Promise<void> => {
    // What was stored after the run began may not be in it.
    if (running !== null) await running;
    running ??= work().finally(() => {
      running = null;
    });
    await running;
  };

  return {
    heard: () => later(SOON),
    catchUp,
    close: async () => {
      closed = true;
      cancel?.();
      await running;
    },
  };
};
