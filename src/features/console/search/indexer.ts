/**
 * Keeps the search index up to date in small parts: shortly after a write, at each search, and at the start
 * for earlier texts.
 */

import type { Core } from "../../../feature.ts";
import type { Millis } from "../../../machine/id.ts";
import { createRepeatingTask } from "../../../runtime/bot/repeating-task.ts";
import type { PageSearch, SearchIndex } from "./ports.ts";

const SOON: Millis = 2_000;
const AGAIN: Millis = 60_000;

interface IndexerDeps extends Pick<Core, "clock" | "log"> {
  readonly search: Pick<SearchIndex, "index">;
}

export const createIndexer = ({ search, clock, log }: IndexerDeps) => {
  const rounds = createRepeatingTask(clock, async () => {
    for (let isDone = false; !isDone && !rounds.ending.aborted; ) {
      const done = await search.index();
      if (done.kind === "failed") {
        const { code } = done;
        log.warn("search: messages not indexed, retry scheduled", { code });
        return rounds.wakeWithin(AGAIN);
      }
      ({ isDone } = done);
    }
  });
  const catchUp: PageSearch["catchUp"] = () => {
    rounds.wake();
    return rounds.settled();
  };
  return { heard: () => rounds.wakeWithin(SOON), catchUp, close: rounds.close };
};
