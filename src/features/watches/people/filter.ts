/** Decides whether a watch reads a post at all, before any model does. Pure. */

import type { Millis } from "../../../machine/id.ts";
import type { PeopleSource, WorkingHours } from "../store/watches.ts";

type Filter = Pick<PeopleSource, "with" | "without" | "onlyQuestions" | "hours">;

export const isWatchedPost = (filter: Filter, text: string, now: Millis): boolean => {
  const words = text.toLowerCase();
  const has = (pattern: string): boolean => containsPattern(words, pattern);
  return (
    (filter.with.length === 0 || filter.with.some(has)) &&
    !filter.without.some(has) &&
    (!filter.onlyQuestions || isQuestion(text)) &&
    (filter.hours === null || isWithinHours(filter.hours, now))
  );
};

/** Finds the parts between the pattern's `*` in their order, in linear time. `text`: in lower case. */
export const containsPattern = (text: string, pattern: string): boolean => {
  let from = 0;
  for (const part of pattern.toLowerCase().split("*")) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
};

/** Whether a question mark stands outside of code and addresses. */
export const isQuestion = (text: string): boolean =>
  /[?？؟]|か[。\s]|か$/u.test(
    text
      .replaceAll(/```[^`]*```|`[^`\n]*`/g, " ")
      .replaceAll(/https?:\/\/\S+/g, (link) => (/[?]$/.test(link) ? "?" : " ")),
  );

export const isWithinHours = ({ from, until, zone }: WorkingHours, now: Millis): boolean => {
  const parts = formatOf(zone).formatToParts(now);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? "";
  if (part("weekday") === "Sat" || part("weekday") === "Sun") return false;
  const hour = Number(part("hour")) % 24;
  return hour >= from && hour < until;
};

export const isTimeZone = (zone: string): boolean => {
  try {
    return formatOf(zone).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes longer than using it. */
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    weekday: "short",
    hour: "2-digit",
    hourCycle: "h23",
  });
  if (formats.size < MOST_ZONES) formats.set(zone, format);
  return format;
};

const MOST_ZONES = 600;
