/** Parses schedules as people write them: `weekday 09:00 Europe/Berlin`. Pure. An unclear text results in a question. */

import type { ScheduleRule } from "./instants.ts";
import { capitalize } from "../../thread/wording.ts";

type Read =
  | { readonly kind: "rule"; readonly rule: ScheduleRule; readonly spoken: string }
  /** `why`: repeats the understood part, and asks for the rest. */
  | { readonly kind: "unclear"; readonly why: string };

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const FILLERS: ReadonlySet<string> = new Set(["at", "on", "and", "in", "the", "every", "of"]);

/** Maximum number of characters. Each word is compared with the time zones, so a long text would take long. */
const LONGEST = 200;

/** Parses the text between `every` and the colon. */
export const readSchedule = (text: string): Read => {
  if (text.length > LONGEST)
    return unclear(`a schedule of ${text.length} characters`, `It takes at most ${LONGEST}.`);
  const words = text
    .normalize("NFKC")
    .trim()
    .split(/[\s,]+/u)
    .filter((word) => word !== "");
  const zones = words.filter((word) => isZone(word));
  const rest = words.filter((word) => !isZone(word)).map((word) => word.toLowerCase());
  const [zone = "UTC", other] = zones;
  if (other !== undefined) return unclear(`two time zones, \`${zone}\` and \`${other}\``, "Which one is it?");
  if (rest[0] === "cron") return cronOf(words, zone);
  const said = rest.filter((word) => !FILLERS.has(word));
  return intervalOf(said, zone) ?? daysOf(said, zone);
};

const cronOf = (words: readonly string[], zone: string): Read => {
  const fields = words.slice(1).filter((word) => !isZone(word));
  return fields.length === 5
    ? rule(fields.join(" "), zone, `by the rule \`${fields.join(" ")}\``)
    : unclear(`a rule of ${fields.length} parts`, "It takes five: minute, hour, day, month, weekday.");
};

/** Parses `hour`, `15 minutes` and `2 hours`. */
const intervalOf = (said: readonly string[], zone: string): Read | null => {
  const [first = "", second, ...more] = said;
  if (first === "hour" && second === undefined) return rule("0 * * * *", zone, "every hour");
  const every = /^\d{1,3}$/.test(first) ? Number(first) : null;
  const unit = /^(minute|hour)s?$/.exec(second ?? "")?.[1];
  if (every === null || unit === undefined || more.length > 0) return null;
  const whole = unit === "minute" ? 60 : 24;
  if (every < 1 || whole % every !== 0)
    return unclear(
      `every ${every} ${unit}s`,
      `That does not come out even: take a number that divides ${whole}.`,
    );
  if (unit === "minute" && every < 5)
    return unclear(`every ${every} minutes`, "The shortest is every 5 minutes. How often is it?");
  const spoken = every === 1 ? `every ${unit}` : `every ${every} ${unit}s`;
  return rule(unit === "minute" ? `*/${every} * * * *` : `0 */${every} * * *`, zone, spoken);
};

const daysOf = (said: readonly string[], zone: string): Read => {
  const times = said.flatMap((word) => timeOf(word) ?? []);
  const days = said.flatMap((word) => dayOf(word) ?? []);
  const unknown = said.filter((word) => timeOf(word) === null && dayOf(word) === null);
  const [time = "", later] = times;
  const every = `every ${days.map(({ spoken }) => spoken).join(" and ")}`;
  const dates = days.filter(({ isDate }) => isDate).length;
  const doubts: readonly (readonly [boolean, string])[] = [
    [unknown.length > 0, `What is \`${unknown.join(" ").slice(0, 60)}\`?`],
    [days.length === 0, "On which days?"],
    [time === "", "At what time?"],
    [later !== undefined, "At one time, or one schedule each?"],
    [dates > 0 && dates < days.length, "By the date or by the weekday?"],
  ];
  const doubt = doubts.find(([isOpen]) => isOpen)?.[1];
  if (doubt !== undefined) {
    const understood = [
      ...(days.length === 0 ? [] : [every]),
      ...(time === "" ? [] : [`at ${time} ${zone}`]),
    ];
    return unclear(understood.join(" "), `${doubt} ${EXAMPLES}`);
  }
  const [hour, minute] = time.split(":").map(Number);
  const fields = days.map(({ field }) => field).join(",");
  const onDays = dates > 0 ? `${fields} * *` : `* * ${fields.includes("*") ? "*" : fields}`;
  return rule(`${minute} ${hour} ${onDays}`, zone, `${every} at ${time}`);
};

interface Day {
  readonly field: string;
  readonly spoken: string;
  readonly isDate: boolean;
}

const dayOf = (word: string): Day | null => {
  if (word === "day" || word === "daily") return { field: "*", spoken: "day", isDate: false };
  if (/^(weekday|workday)s?$/.test(word)) return { field: "1-5", spoken: "weekday", isDate: false };
  if (/^weekends?$/.test(word)) return { field: "0,6", spoken: "weekend day", isDate: false };
  const date = Number(/^(\d{1,2})(?:st|nd|rd|th)$/.exec(word)?.[1] ?? 0);
  if (date >= 1 && date <= 28) return { field: String(date), spoken: word, isDate: true };
  const index =
    word.length < 3 ? -1 : DAYS.findIndex((day) => day === word.replace(/s$/, "") || isShort(word, day));
  const name = DAYS[index];
  return name === undefined ? null : { field: String(index), spoken: capitalize(name), isDate: false };
};

const isShort = (word: string, day: string): boolean =>
  word.length <= 5 && day.startsWith(word.replace(/\.$/, ""));

/** Parses `09:00`, `9:30`, `9am` and `12:15pm`; returns 24-hour time. */
const timeOf = (word: string): string | null => {
  const [, hours, minutes, half] = /^(\d{1,2})(?::([0-5]\d))?(am|pm)?$/.exec(word) ?? [];
  if (hours === undefined || (minutes === undefined && half === undefined)) return null;
  const given = Number(hours);
  if (half === undefined ? given > 23 : given < 1 || given > 12) return null;
  const hour = half === undefined ? given : (given % 12) + (half === "pm" ? 12 : 0);
  return `${String(hour).padStart(2, "0")}:${minutes ?? "00"}`;
};

/**
 * Accepts names such as Europe/Berlin. Abbreviations of three letters mean another hour in half of the year, or another place
 * on another continent.
 */
const isZone = (word: string): boolean => {
  if (!/^(UTC|GMT|[A-Za-z]+\/[A-Za-z_/+-]+\d*)$/.test(word)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: word }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

const rule = (cron: string, zone: string, spoken: string): Read => ({
  kind: "rule",
  rule: { cron, zone },
  spoken: `${spoken} ${zone}`,
});

const unclear = (understood: string, question: string): Read => ({
  kind: "unclear",
  why: `${understood === "" ? "I could not read when that is." : `I understood: ${understood}.`} ${question}`,
});

const EXAMPLES =
  "Write it like `every weekday 09:00 Europe/Berlin: TEXT`, `every Monday and Thursday 14:30 UTC: TEXT`, `every 1st 08:00 Europe/Berlin: TEXT` or `every 2 hours: TEXT`. Zones are named by their place.";
