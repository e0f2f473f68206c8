/**
 * Updates the number of events in the first messages of threads. Each message is edited at intervals, and once more with the
 * final number.
 */

import type { Millis } from "../../machine/id.ts";
import type { ChatSurface } from "../../ports/connection.ts";
import type { Ambient } from "../../ports/host.ts";
import type { Watch, WatchRows } from "./store/watches.ts";
import { createRepeatingTask } from "../../runtime/bot/repeating-task.ts";
import { firstLineOf } from "./words.ts";

const EVERY: Millis = 3_000;
const AFTER_TROUBLE: Millis = 60_000;

interface CountDeps extends Ambient {
  readonly rows: Pick<WatchRows, "untold" | "told">;
  readonly surfaces: () => readonly Pick<ChatSurface, "name" | "tell" | "say">[];
  readonly find: (id: string) => Watch | null;
}

export const createCounts = ({ rows, surfaces, find, clock, log }: CountDeps) => {
  const rounds = createRepeatingTask(clock, async () => {
    for (const { conversation, place, message, event, count } of rows.untold()) {
      if (rounds.ending.aborted) return;
      const watch = find(event.watch);
      const surface = surfaces().find(({ name }) => name === watch?.surface);
      const put =
        watch === null || surface === undefined
          ? null
          : await surface.tell(place, {
              ...firstLineOf(watch, event, count, surface.say(place)),
              id: message,
              edits: message,
            });
      if (put?.kind === "refused") {
        log.warn("watches: event count not posted, retry scheduled", { why: put.why });
        return rounds.wakeWithin(AFTER_TROUBLE);
      }
      await rows.told(conversation, count);
    }
  });
  const tell = (): void => rounds.wakeWithin(EVERY);

  return {
    /** Called when an event was added to a thread. */
    tell,
    start: () => {
      if (rows.untold().length > 0) tell();
    },
    close: rounds.close,
  };
};
