/** Reads the database for a command, also while Parley runs. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { openStoreForReading } from "../../../store/sqlite.ts";
import { complain } from "./complain.ts";
import { loadConfig } from "./load-config.ts";

export type StoredForReading = Extract<ReturnType<typeof openStoreForReading>, { readonly kind: "open" }>;

/** Returns null if the database is missing or unreadable; doctor reports unreadable ones separately. */
export const readStored = <T>(directory: string, read: (opened: StoredForReading) => T): T | null => {
  const opened = openStored(directory);
  if (opened?.kind !== "open") return null;
  const found = read(opened);
  opened.store.close();
  return found;
};

const openStored = (directory: string): ReturnType<typeof openStoreForReading> | null =>
  existsSync(join(directory, "parley.sqlite")) ? openStoreForReading(directory) : null;

/** `missing`: message if no database exists. */
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
