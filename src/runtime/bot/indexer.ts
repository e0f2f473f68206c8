/**
 * Keeps the search index up with what is said, a part at a time and never in the way: a while after something was
 * stored, when somebody searches, and at start what was written before.
 */

import type { Search, Searching } from "../../ports/store.ts";
import type { Millis } from "../../machine/id.ts";
import type { Clock, Log } from "../../ports/host.ts";
import { createRounds } from "./rounds.ts";

const SOON: Millis = 2_000;
const AGAIN: Millis = 60_000;

interface Indexer extends Pick<Searching, "catchUp"> {
  heard(): void;
  /** Settles when nothing is being written. */
  close(): Promise<void>;
}

interface IndexerDeps {
  readonly search: Pick<Search, "index">;
  readonly clock: Clock;
  readonly log: Log;
}

export const createIndexer = ({ search, clock, log }: IndexerDeps): Indexer => {
  const rounds = createRounds(clock, async () => {
    for (let isDone = false; !isDone && !rounds.ending.aborted; ) {
      const done = await search.index();
      if (done.kind === "failed") {
        const { code } = done;
        log.warn("what was said could not be taken into the search index; it is tried again", { code });
        return rounds.wakeWithin(AGAIN);
      }
      ({ isDone } = done);
    }
  });
  const catchUp = (): Promise<void> => {
    rounds.wake();
    return rounds.settled();
  };
  return { heard: () => rounds.wakeWithin(SOON), catchUp, close: rounds.close };
};
