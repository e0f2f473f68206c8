/**
 * A file that says that a backup is being taken. A copy of a directory is not of one instant: while it is made, nothing
 * that a later step of the copy would look for may go away, so that nothing is parked and no archive is removed.
 */

import { rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY, type Millis } from "../../machine/id.ts";

/** Its name in the data directory. */
export const BACKUP_MARK = "backup.under-way";

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
