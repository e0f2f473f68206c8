/** The due time of each pull request: it doubles while nothing changes, and a forge's demand is kept whatever happens. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { createTendDues, EVENT_LOOK, TEND_LOOK } from "../../../../src/features/forge/tend/due.ts";

const MINUTE = 60_000;
const HALF_HOUR = 1_800_000;

const started = () => {
  let now = 1_000_000;
  const dues = createTendDues({ now: () => now });
  const rest = (): number => dues.at("a") - now;
  const pass = (time: number): void => {
    now += time;
  };
  return { dues, rest, pass, now: () => now };
};

test("it is read at once, then after a minute, and more rarely while it stays the same", () => {
  const { dues, rest, pass } = started();
  expect(dues.isDue("a")).toBe(true);
  const waits = ["x", "x", "x", "x", "x", "x", "y"].map((state) => {
    dues.begin("a");
    dues.read("a", state);
    const wait = rest();
    pass(wait);
    return wait / MINUTE;
  });
  expect(waits).toEqual([1, 2, 4, 8, 10, 10, 1]);
});

test("an event makes it due, ten seconds after the last read at the earliest, also one during a read", () => {
  const { dues, rest, pass } = started();
  dues.begin("a");
  dues.read("a", "x");
  dues.reported("a");
  expect(rest()).toBe(EVENT_LOOK);
  pass(5 * EVENT_LOOK);
  dues.begin("a");
  dues.reported("a");
  dues.read("a", "x");
  expect(rest()).toBe(EVENT_LOOK);
  pass(EVENT_LOOK);
  dues.begin("a");
  dues.read("a", "x");
  expect(rest()).toBe(TEND_LOOK);
  dues.read("b", "x");
  pass(30_000);
  dues.reported("a");
  expect([dues.isDue("a"), dues.isDue("b")]).toEqual([true, false]);
});

const happenings = fc.array(
  fc.oneof(
    fc.constantFrom("read", "failed", "reported", "soon", "begin").map((kind) => ({ kind, time: 0 })),
    fc.integer({ min: 0, max: 4_000_000 }).map((time) => ({ kind: "limited", time })),
    fc.integer({ min: 0, max: 1_000_000 }).map((time) => ({ kind: "pass", time })),
  ),
  { maxLength: 40 },
);

test("nothing makes it due before the forge allows, and no wait is longer than half an hour without a demand", () => {
  fc.assert(
    fc.property(happenings, (all) => {
      const { dues, rest, pass, now } = started();
      let allowed = 0;
      for (const { kind, time } of all) {
        if (kind === "read") dues.read("a", "x");
        if (kind === "failed") dues.failed("a");
        if (kind === "reported") dues.reported("a");
        if (kind === "soon") dues.soon("a");
        if (kind === "begin") dues.begin("a");
        if (kind === "pass") pass(time);
        if (kind === "limited") {
          dues.failed("a", time);
          allowed = now() + time;
        }
        expect(dues.at("a")).toBeGreaterThanOrEqual(allowed);
        expect(rest()).toBeLessThanOrEqual(Math.max(HALF_HOUR, allowed - now()));
      }
    }),
  );
});
