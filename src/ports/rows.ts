/** Rows of a feature in the store, declared on the caller's floor. SQL stands in the feature's code alone, and values are bound. */

import type { Done } from "./host.ts";

type RowValues = Readonly<Record<string, string | number | null>>;

/** One change of rows. Travels as data to the thread that writes, and its changes to the database that hosts share. */
export interface RowChange {
  readonly sql: string;
  readonly values: RowValues;
}

export interface Rows {
  /** Prepares a read on this host's connection. Rows come as the database has them: the feature parses them. */
  select(sql: string): (values: RowValues) => readonly unknown[];
  /** Stores all changes or none, after all writes that were handed over before. */
  write(changes: readonly RowChange[]): Promise<Done>;
  /** The same, of tables that each of several hosts makes for itself (`LOCAL` of the feature behind them). */
  writeLocal(changes: readonly RowChange[]): Promise<Done>;
}
