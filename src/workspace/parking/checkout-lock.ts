/** Commands and readers share a conversation's directory. Parking needs the directory alone: a new user aborts the parking. */

import { type ConversationId, DAY, type Millis } from "../../machine/id.ts";
import { rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createRefCounts } from "../disk/ref-counts.ts";

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
    /** Returns null and does nothing if the directory is in use. The signal fires when a user waits. */
    alone: async <T>(id: ConversationId, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> => {
      if (users.has(id) || parking.has(id)) return null;
      const ending = new AbortController();
      const done = work(ending.signal).finally(() => parking.delete(id));
      parking.set(id, { ending, done });
      return done;
    },
  };
};

/** Exists while a backup runs: nothing is parked and no archive removed, because a later step may copy these files. */
const BACKUP_MARK = "backup.under-way";

/** After this time, a backup that ended without removing its mark no longer blocks parking. */
const LONGEST: Millis = DAY;

/** Returns the function that removes the mark. Throws file system errors. */
export const markBackup = (data: string): (() => void) => {
  const path = join(data, BACKUP_MARK);
  writeFileSync(path, `${process.pid}\n`, { mode: 0o600 });
  return () => rmSync(path, { force: true });
};

export const isBackedUp = async (data: string): Promise<boolean> => {
  const found = await stat(join(data, BACKUP_MARK)).catch(() => null);
  // Uses the file system's clock, not the conversation's.
  return found !== null && Date.now() - found.mtimeMs < LONGEST;
};
