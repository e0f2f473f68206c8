/**
 * Who may be at a conversation's directory. Its commands and everything that looks at its checkout use it together;
 * parking is there alone, and gives way at once: whoever comes breaks it off and waits until it has let go.
 */

import { type ConversationId, DAY, type Millis } from "../../machine/id.ts";
import { rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createRefCounts } from "../disk/holds.ts";

export type Gate = ReturnType<typeof createCheckoutLock>;

export const createCheckoutLock = () => {
  const users = createRefCounts();
  const parking = new Map<
    ConversationId,
    { readonly ending: AbortController; readonly done: Promise<unknown> }
  >();

  return {
    use: async <T>(id: ConversationId, work: () => Promise<T>): Promise<T> => {
      using _ = users.hold(id);
      const under = parking.get(id);
      under?.ending.abort();
      await under?.done.catch(() => null);
      return await work();
    },
    /** Null, and nothing is done, while somebody uses it. Its signal fires when somebody waits. */
    alone: async <T>(id: ConversationId, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> => {
      if (users.has(id) || parking.has(id)) return null;
      const ending = new AbortController();
      const done = work(ending.signal).finally(() => parking.delete(id));
      parking.set(id, { ending, done });
      return done;
    },
  };
};

/**
 * A file in the data directory that says that a backup is being taken. A copy of a directory is not of one instant: while
 * it is made, nothing that a later step of the copy would look for may go away, so that nothing is parked and no archive
 * is removed.
 */
const BACKUP_MARK = "backup.under-way";

/** A backup that ended without taking its mark away holds nothing up for longer. */
const LONGEST: Millis = DAY;

/** Answers the way to take it away. Throws what the file system throws. */
export const markBackup = (data: string): (() => void) => {
  const path = join(data, BACKUP_MARK);
  writeFileSync(path, `${process.pid}\n`, { mode: 0o600 });
  return () => rmSync(path, { force: true });
};

export const isBackedUp = async (data: string): Promise<boolean> => {
  const found = await stat(join(data, BACKUP_MARK)).catch(() => null);
  // The file system's clock, not the conversation's.
  return found !== null && Date.now() - found.mtimeMs < LONGEST;
};
