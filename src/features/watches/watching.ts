import type { WatchSummary } from "./store/watches.ts";

export interface Watching extends Omit<WatchSummary, "budget" | "spent"> {
  /** Per day; null for no limit. */
  readonly budgetUsd: number | null;
  readonly spentUsd: number;
}
