/** Text of a schedule in a person's language. The English text is stored; any other is generated from the rule. Pure. */

import { DAY } from "../../machine/id.ts";
import type { WatchSource } from "./store/watches.ts";
import type { Say } from "../../i18n/say.ts";

type Schedule = Pick<WatchSource & { readonly kind: "schedule" }, "cron" | "zone" | "spoken">;

export const scheduleText = ({ cron, zone, spoken }: Schedule, say: Say): string => {
  if (say.language === "en") return spoken;
  if (spoken.startsWith("by the rule"))
    return say("by the rule {rule} {zone}", { rule: `\`${cron}\``, zone });
  const [minute = "", hour = "", date = "*", , day = "*"] = cron.split(" ");
  const minutes = everyIn(minute);
  if (minutes !== null) return say("every {count} minutes {zone}", { count: minutes, zone });
  const hours = everyIn(hour);
  if (hours !== null)
    return hours === "1"
      ? say("every hour {zone}", { zone })
      : say("every {count} hours {zone}", { count: hours, zone });
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  const listed = (all: readonly string[]): string => new Intl.ListFormat(say.language).format(all);
  if (date !== "*") {
    const days = listed(date.split(",").map((one) => say("day {date}", { date: one })));
    return say("every month on {days} at {time} {zone}", { days, time, zone });
  }
  if (day === "*") return say("every day at {time} {zone}", { time, zone });
  if (day === "1-5") return say("every weekday at {time} {zone}", { time, zone });
  const name = new Intl.DateTimeFormat(say.language, { weekday: "long", timeZone: "UTC" });
  const days = listed(daysIn(day).map((one) => name.format(SUNDAY + one * DAY)));
  return say("every {days} at {time} {zone}", { days, time, zone });
};

/** January 4, 1970. */
const SUNDAY = 3 * DAY;

const everyIn = (field: string): string | null => {
  const [found, count = "1"] = /^\*(?:\/(\d+))?$/.exec(field) ?? [];
  return found === undefined ? null : count;
};

const daysIn = (field: string): readonly number[] =>
  field.split(",").flatMap((one) => (one === "1-5" ? [1, 2, 3, 4, 5] : [Number(one)]));
