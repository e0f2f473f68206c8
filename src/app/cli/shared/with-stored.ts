/** What a command reads in the database, beside a Parley that may be running. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { openStoreForReading } from "../../../store/sqlite.ts";
import { complain } from "./complain.ts";
import { loadConfig } from "./load-config.ts";

export type StoredForReading = Extract<ReturnType<typeof openStoreForReading>, { readonly kind: "open" }>;

/** Null where there is no database yet, or none that can be read, as doctor says in a line of its own. */
export const readStored = <T>(directory: string, read: (opened: StoredForReading) => T): T | null => {
  const opened = openStored(directory);
  if (opened?.kind !== "open") return null;
  const found = read(opened);
  opened.store.close();
  return found;
};

/** Null where there is no database yet. */
const openStored = (directory: string): ReturnType<typeof openStoreForReading> | null =>
  existsSync(join(directory, "parley.sqlite")) ? openStoreForReading(directory) : null;

/** Answers the exit status. `missing`: what is said where there is no database. */
export const withStored = (
  missing: (directory: string) => string,
  read: (stored: StoredForReading, directory: string) => number,
): number => {
  const config = loadConfig();
  if (config === null) return 1;
  const { PARLEY_DATA: directory } = config;
  const opened = openStored(directory);
  if (opened?.kind !== "open") return complain(opened?.message ?? missing(directory));
  const status = read(opened, directory);
  opened.store.close();
  return status;
};
