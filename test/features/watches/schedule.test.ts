/** Schedules as people write them, and instants over restarts, daylight saving and clocks that are set. */

import { describe, expect, it } from "vitest";
import { openScheduler } from "../../../src/features/watches/instants.ts";
import type { Watch, WatchEvent } from "../../../src/features/watches/store/watches.ts";
import { readSchedule } from "../../../src/features/watches/schedule.ts";
import { createTicker } from "../../../src/features/watches/ticker.ts";
import { createManualClock } from "../../runtime/world.ts";
import { watchWith } from "./watch.ts";

const HOUR = 3_600_000;

describe("a schedule", () => {
  it.each([
    ["weekday 09:00 Europe/Berlin", "0 9 * * 1-5", "every weekday at 09:00 Europe/Berlin"],
    ["day at 9am", "0 9 * * *", "every day at 09:00 UTC"],
    ["Monday and Thursday 14:30 UTC", "30 14 * * 1,4", "every Monday and Thursday at 14:30 UTC"],
    ["mon, wed 7:05 America/New_York", "5 7 * * 1,3", "every Monday and Wednesday at 07:05 America/New_York"],
    ["1st 08:00", "0 8 1 * *", "every 1st at 08:00 UTC"],
    ["hour", "0 * * * *", "every hour UTC"],
    ["15 minutes", "*/15 * * * *", "every 15 minutes UTC"],
    ["cron 0 9 * * 1-5 Europe/Berlin", "0 9 * * 1-5", "by the rule `0 9 * * 1-5` Europe/Berlin"],
  ])("%s is read as %s", (typed, cron, spoken) => {
    expect(readSchedule(typed)).toMatchObject({ kind: "rule", rule: { cron }, spoken });
  });

  it.each([
    ["weekday 9ish", /every weekday.*`9ish`/],
    ["weekday 09:00 CET", /every weekday at 09:00 UTC\. What is `cet`/],
    ["09:00", /at 09:00 UTC\. On which days/],
    ["friday", /every Friday\. At what time/],
    ["day 09:00 17:00", /One schedule each|one schedule each/],
    ["7 minutes", /divides 60/],
    ["1 minutes", /every 5 minutes/],
    ["", /could not read/],
  ])("%s is asked back, with what was understood", (typed, why) => {
    const read = readSchedule(typed);
    expect(read.kind === "unclear" ? read.why : read).toMatch(why);
  });

  it("comes once for each day, also where the clocks are set: in spring a little later, in autumn once", async () => {
    const known = await openScheduler();
    const rule = { cron: "30 2 * * *", zone: "Europe/Berlin" };
    const days = (from: number, count: number): readonly string[] => {
      const found: string[] = [];
      for (let at = known.next(rule, from); at !== null && found.length < count; at = known.next(rule, at))
        found.push(new Date(at).toISOString());
      return found;
    };
    expect(days(Date.UTC(2026, 2, 27, 12), 3).map((at) => at.slice(0, 10))).toEqual([
      "2026-03-28",
      "2026-03-29",
      "2026-03-30",
    ]);
    expect(new Set(days(Date.UTC(2026, 9, 24, 12), 3).map((at) => at.slice(0, 10))).size).toBe(3);
  });
});

const SCHEDULE = watchWith(
  {
    kind: "schedule",
    cron: "0 9 * * *",
    zone: "UTC",
    spoken: "every day at 09:00 UTC",
    text: "Look at the flaky tests",
    last: Date.UTC(2026, 10, 24, 12),
  },
  { id: "every-1" },
);

/** Processes on one database, at a wall clock that the test sets. */
const world = (start: number, options: { readonly isFull?: () => boolean } = {}) => {
  const clock = createManualClock();
  clock.set(start);
  let kept: Watch = SCHEDULE;
  const taken: WatchEvent[] = [];
  const told: string[] = [];
  const process = () =>
    createTicker({
      watcher: {
        all: () => [kept],
        find: () => kept,
        put: (watch) => {
          kept = watch;
          return Promise.resolve({ kind: "done" });
        },
        take: (event) => {
          if (options.isFull?.() === true)
            return Promise.resolve({ kind: "failed", code: "disk_full", message: "full" });
          taken.push(event);
          return Promise.resolve({ kind: "stored" });
        },
      },
      instants: openScheduler,
      tell: (_, { text }) => Promise.resolve({ kind: "put", message: String(told.push(text)) }),
      clock,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
  /** A process that lives for that long, looking at its clock as often as it likes. */
  const live = async (time: number): Promise<void> => {
    const ticker = process();
    ticker.wake();
    for (let left = time; left > 0; left -= HOUR / 4) {
      await settled();
      clock.advance(HOUR / 4);
    }
    await settled();
    await ticker.close();
  };
  return { clock, live, taken, told, change: (watch: Partial<Watch>) => (kept = { ...kept, ...watch }) };
};

/** What awaits nothing but what is there. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

describe("the ticker", () => {
  it("runs each instant once, over restarts", async () => {
    const { live, taken } = world(Date.UTC(2026, 10, 25, 0));
    for (let no = 0; no < 6; no += 1) await live(8 * HOUR);
    expect(taken.map(({ delivery }) => delivery)).toEqual([
      "2026-11-25T09:00:00.000Z",
      "2026-11-26T09:00:00.000Z",
    ]);
  });

  it("what was missed within a day runs once", async () => {
    const { live, taken, told } = world(Date.UTC(2026, 10, 25, 20));
    await live(HOUR);
    await live(HOUR);
    expect(taken.map(({ delivery }) => delivery)).toEqual(["2026-11-25T09:00:00.000Z"]);
    expect(told).toEqual([]);
  });

  it("of several that were missed the newest runs, and the others are told", async () => {
    const { live, taken, told } = world(Date.UTC(2026, 10, 28, 20));
    await live(HOUR);
    expect(taken.map(({ delivery }) => delivery)).toEqual(["2026-11-28T09:00:00.000Z"]);
    expect(told).toEqual([
      expect.stringMatching(/3 of them, the last of 2026-11-27 09:00 UTC\. Only the newest runs\./),
    ]);
  });

  it("what was missed for longer is told and not run", async () => {
    const { live, taken, told, change } = world(Date.UTC(2026, 10, 28, 20));
    const { source } = SCHEDULE;
    if (source.kind === "schedule") change({ source: { ...source, cron: "0 9 25 * *" } });
    await live(HOUR);
    await live(HOUR);
    expect(taken).toEqual([]);
    expect(told).toEqual([
      expect.stringMatching(/the one of 2026-11-25 09:00 UTC\. That is more than a day ago/),
    ]);
  });

  it("a clock that is set back runs nothing twice", async () => {
    const { clock, live, taken } = world(Date.UTC(2026, 10, 25, 8));
    await live(2 * HOUR);
    clock.set(Date.UTC(2026, 10, 25, 8));
    await live(2 * HOUR);
    expect(taken.length).toBe(1);
  });

  it("what the disk refuses is run when it takes it", async () => {
    let isFull = true;
    const { live, taken } = world(Date.UTC(2026, 10, 25, 9), { isFull: () => isFull });
    await live(HOUR);
    isFull = false;
    await live(HOUR);
    expect(taken.length).toBe(1);
  });

  it("a paused one runs nothing", async () => {
    const { live, taken, change } = world(Date.UTC(2026, 10, 25, 8));
    change({ standing: { kind: "paused", by: "slack:U1" } });
    await live(3 * HOUR);
    expect(taken).toEqual([]);
  });
});

it("40.A12 a schedule of any length is asked back without a look at its words, and a long one that fits is read", () => {
  const long = readSchedule("Europe/Berlin ".repeat(3_000));
  expect(long).toMatchObject({ kind: "unclear", why: expect.stringContaining("42000 characters") });
  expect(readSchedule(`weekday 09:00${" ".repeat(150)}Europe/Berlin`)).toMatchObject({ kind: "rule" });
});
