/** Schedules as they are said in other languages: what English says is stored, and stays. */

import { expect, it } from "vitest";
import { readSchedule } from "../../../src/features/watches/schedule.ts";
import { scheduleText } from "../../../src/features/watches/schedule-text.ts";
import { sayIn } from "../../../src/i18n/languages.ts";
import type { Language } from "../../../src/i18n/say.ts";

const said = (typed: string, language: Language): string => {
  const read = readSchedule(typed);
  return read.kind === "rule"
    ? scheduleText({ ...read.rule, spoken: read.spoken }, sayIn(language))
    : read.why;
};

it.each([
  ["weekday 9am Europe/Berlin", "jeden Werktag um 09:00 Europe/Berlin"],
  ["Thursday and Monday 14:30", "jeden Donnerstag und Montag um 14:30 UTC"],
  ["1st 15th 08:00", "jeden Monat am 1. und 15. um 08:00 UTC"],
  ["day 7:05", "jeden Tag um 07:05 UTC"],
  ["hour", "jede Stunde UTC"],
  ["2 hours", "alle 2 Stunden UTC"],
  ["15 minutes", "alle 15 Minuten UTC"],
  ["cron 0 9 * * 1", "nach der Regel `0 9 * * 1` UTC"],
])("%s is %s", (typed, german) => {
  expect(said(typed, "de")).toBe(german);
});

it("English is what was stored", () => {
  expect(said("weekday 9am Europe/Berlin", "en")).toBe("every weekday at 09:00 Europe/Berlin");
});
