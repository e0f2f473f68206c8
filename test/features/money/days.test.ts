/** Which day it is for budgets, whatever is done to the clock. */

import { expect, test } from "vitest";
import { createDays } from "../../../src/features/money/days.ts";
import { createManualClock } from "../../runtime/world.ts";
import { openMemory } from "../../store/in-memory.ts";

const HOUR = 3_600_000;
const noon = Date.parse("2026-11-22T12:00:00Z");

const begin = async () => {
  const { purse } = openMemory();
  const clock = createManualClock();
  clock.set(noon);
  const open = () => createDays({ purse, now: clock.now, steady: clock.steady });
  const days = open();
  const spent = (): number => purse.spent(days(), "day");
  await purse.spend(days()[0], ["day"], 7);
  /** What was handed over before is on the disk. */
  const written = () => purse.carry([], "2026-11-22");
  return { purse, clock, days, spent, open, written };
};

test("a day that was waited for begins with nothing spent", async () => {
  const { clock, days, spent } = await begin();
  expect(spent()).toBe(7);
  clock.advance(13 * HOUR);
  expect(days()).toEqual(["2026-11-23"]);
  expect(spent()).toBe(0);
});

test.each([
  ["forwards by years", "2031-01-01T12:00:00Z"],
  ["forwards by a day", "2026-11-23T12:00:00Z"],
  ["backwards by a day", "2026-11-21T12:00:00Z"],
])("a clock that is set %s takes what was spent along, and back again", async (_, to) => {
  const { clock, purse, days, spent, written } = await begin();
  clock.set(Date.parse(to));
  expect(spent()).toBe(7);
  await purse.spend(days()[0], ["day"], 2);
  expect(spent()).toBe(9);
  clock.set(noon + HOUR);
  expect(spent()).toBe(9);
  await written();
  clock.advance(12 * HOUR);
  expect(spent()).toBe(0);
});

test("what was taken along ends with the day that the clock says: nobody is locked out", async () => {
  const { clock, spent } = await begin();
  clock.set(Date.parse("2031-01-01T12:00:00Z"));
  expect(spent()).toBe(7);
  clock.advance(13 * HOUR);
  expect(spent()).toBe(0);
});

test("a process that starts behind the last day that was spent on takes that day's spending along", async () => {
  const { clock, purse, open } = await begin();
  clock.set(Date.parse("2026-11-20T12:00:00Z"));
  const days = open();
  expect(days()[0]).toBe("2026-11-20");
  expect(purse.spent(days(), "day")).toBe(7);
  clock.advance(13 * HOUR);
  expect(purse.spent(days(), "day")).toBe(0);
});

test("a clock that is set by minutes within a day changes nothing", async () => {
  const { clock, days, spent } = await begin();
  clock.set(noon + 20 * 60_000);
  expect(spent()).toBe(7);
  expect(days()).toEqual(["2026-11-22"]);
});
