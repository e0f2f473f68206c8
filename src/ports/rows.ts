/** Rows of a feature in the store. Only the feature's code contains SQL, and values are bound. */

import type { Done } from "./host.ts";

type RowValues = Readonly<Record<string, string | number | null>>;

/** Passed as data to the writer thread, and to the database that hosts share. */
export interface RowChange {
  readonly sql: string;
  readonly values: RowValues;
}

export interface Rows {
  /** Prepares a read on this host's connection. The feature parses the raw rows. */
  select(sql: string): (values: RowValues) => readonly unknown[];
  /** Stores all changes or none, after all earlier writes. */
  write(changes: readonly RowChange[]): Promise<Done>;
  /** Writes tables that each of several hosts fills for itself (`LOCAL` of the cluster feature). */
  writeLocal(changes: readonly RowChange[]): Promise<Done>;
}
