/** A watch, as the console's API says it. */

import type { WatchSummary } from "./store/watches.ts";

export interface Watching extends Omit<WatchSummary, "budget" | "spent"> {
  /** A day; null: no bound. */
  readonly budgetUsd: number | null;
  /** Today. */
  readonly spentUsd: number;
}
