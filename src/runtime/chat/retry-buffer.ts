/** Writes repeat until they succeed. If the process ends first, the next one reads the missed messages. */

import type { Millis } from "../../machine/id.ts";
import type { InboxRow } from "../../ports/chat.ts";
import type { Ambient } from "../../ports/host.ts";
import { createRepeatingTask } from "../bot/repeating-task.ts";

/** Delays between attempts; LONGEST after the last. */
const AGAIN: readonly Millis[] = [1_000, 2_000, 5_000, 10_000];
const LONGEST: Millis = 30_000;
/** Maximum number of rows, about a few dozen megabytes. */
const MOST = 10_000;

interface UnstoredDeps extends Ambient {
  readonly surface: string;
  readonly write: (row: InboxRow) => Promise<boolean>;
  readonly stored: () => void;
}

export const createRetryBuffer = ({ surface, clock, log, write, stored }: UnstoredDeps) => {
  const held = new Map<string, InboxRow>();
  let failures = 0;

  const hold = (row: InboxRow): void => {
    if (rounds.ending.aborted || held.has(row.id)) return;
    if (held.size >= MOST) {
      log.error("inbox: event not stored, memory limit reached", {
        surface,
        id: row.id,
      });
      return;
    }
    if (held.size === 0) {
      log.error("inbox: event not stored, kept in memory", { surface });
    }
    held.set(row.id, row);
    schedule();
  };

  const schedule = (): void => {
    if (held.size > 0) rounds.wakeWithin(AGAIN[failures] ?? LONGEST);
  };

  const rounds = createRepeatingTask(clock, async () => {
    failures = (await writeAll([...held.values()])) ? 0 : failures + 1;
    schedule();
  });

  /** Writes each row separately, so that a row that can never be stored does not block others. */
  const writeAll = async (rows: readonly InboxRow[]): Promise<boolean> => {
    const written = await Promise.all(rows.map(write));
    const taken = rows.filter(({ id }, index) => written[index] === true && held.delete(id));
    if (taken.length > 0 && held.size === 0 && !rounds.ending.aborted) {
      log.info("inbox: events from memory stored", { surface });
      stored();
    }
    return written.every((one) => one);
  };

  const of = (lane: string): readonly InboxRow[] => [...held.values()].filter((row) => row.lane === lane);

  return {
    hold,
    holds: (lane: string): boolean => of(lane).length > 0,
    /** Writes the lane's rows before a new one. Settles after a single attempt. */
    before: async (lane: string) => {
      const rows = of(lane);
      if (rows.length > 0) await writeAll(rows);
    },
    close: rounds.close,
  };
};
