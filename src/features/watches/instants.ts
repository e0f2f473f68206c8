import type { Millis } from "../../machine/id.ts";
import type { WatchSource } from "./store/watches.ts";

export type ScheduleRule = Pick<WatchSource & { readonly kind: "schedule" }, "cron" | "zone">;

export interface Instants {
  /** Null if the rule is valid and has a next instant; otherwise the problem, for people. */
  problem(rule: ScheduleRule): string | null;
  /** The first instant after the given time; null if no instant follows. */
  next(rule: ScheduleRule, after: Millis): Millis | null;
}

/** Uses croner, which is loaded with the first schedule. */
export const openScheduler = async (): Promise<Instants> => {
  const { Cron } = await import("croner");
  const cronOf = ({ cron, zone }: ScheduleRule) =>
    new Cron(cron, { timezone: zone, paused: true, mode: "5-part" });
  return {
    problem: (rule) => {
      try {
        return cronOf(rule).nextRun() === null ? "It never comes." : null;
      } catch {
        return "It is no rule of five parts: minute, hour, day, month, weekday.";
      }
    },
    next: (rule, after) => cronOf(rule).nextRun(new Date(after))?.getTime() ?? null,
  };
};
