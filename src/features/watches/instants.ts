/** When schedules come, declared on the caller's floor. */

import type { Millis } from "../../machine/id.ts";
import type { WatchSource } from "./store/watches.ts";

export type ScheduleRule = Pick<WatchSource & { readonly kind: "schedule" }, "cron" | "zone">;

export interface Instants {
  /** Null where the rule holds and comes again; otherwise what is wrong with it, for people. */
  problem(rule: ScheduleRule): string | null;
  /** The first one after that moment; null where there is none. */
  next(rule: ScheduleRule, after: Millis): Millis | null;
}
