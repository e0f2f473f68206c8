/** What doctor reads in the database. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { openStoreForReading } from "../../store/sqlite.ts";

type Opened = Extract<ReturnType<typeof openStoreForReading>, { readonly kind: "open" }>;

/** Null where there is no database yet, or none that can be read, which another line says. */
export const stored = <T>(directory: string, read: (opened: Opened) => T): T | null => {
  if (!existsSync(join(directory, "parley.sqlite"))) return null;
  const opened = openStoreForReading(directory);
  if (opened.kind === "failed") return null;
  const found = read(opened);
  opened.store.close();
  return found;
};
