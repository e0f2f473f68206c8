/** When schedules come, by croner: loaded with the first one that there is. */

import type { Instants, ScheduleRule } from "./instants.ts";

export const openInstants = async (): Promise<Instants> => {
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
