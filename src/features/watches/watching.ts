/** A watch in the format of the console's API. */

import type { WatchSummary } from "./store/watches.ts";

export interface Watching extends Omit<WatchSummary, "budget" | "spent"> {
  /** Daily budget; null for no limit. */
  readonly budgetUsd: number | null;
  /** Amount spent today. */
  readonly spentUsd: number;
}
