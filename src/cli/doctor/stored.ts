/** What doctor reads in the database. */

import { openStored, type Stored } from "../with-stored.ts";

/** Null where there is no database yet, or none that can be read, which another line says. */
export const stored = <T>(directory: string, read: (opened: Stored) => T): T | null => {
  const opened = openStored(directory);
  if (opened?.kind !== "open") return null;
  const found = read(opened);
  opened.store.close();
  return found;
};
