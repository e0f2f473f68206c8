/** How often a growing message is changed: the interval follows what the platform still allows. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { createCallBudgets } from "../../../src/runtime/deliver/call-budgets.ts";
import { createPace, growthInterval } from "../../../src/runtime/deliver/pace.ts";
import { createManualClock } from "../world.ts";
import { generous } from "./board.ts";

const BUDGET = { name: "appends", burst: 60, every: 1_000, within: 60_000 };
const LIMITS = { editEvery: 500, editAtMost: 60_000 };

const begin = () => {
  const clock = createManualClock();
  let woken = 0;
  const pace = createPace(clock, () => {
    woken += 1;
  });
  return { clock, pace, woken: () => woken };
};

it("wakes whoever waits once the interval is over", () => {
  const { pace, clock, woken } = begin();
  expect(pace.ready()).toBe(true);
  pace.begun(1_000);
  clock.advance(999);
  expect(pace.ready()).toBe(false);
  clock.advance(1);
  expect([pace.ready(), woken()]).toEqual([true, 1]);
});

it("counts from the last of several calls", () => {
  const { pace, clock, woken } = begin();
  pace.begun(1_000);
  clock.advance(900);
  pace.begun(1_000);
  clock.advance(999);
  expect(pace.ready()).toBe(false);
  clock.advance(1);
  expect([pace.ready(), woken()]).toEqual([true, 1]);
});

it("waits for the longer of the interval and the platform's own wait", () => {
  fc.assert(
    fc.property(fc.nat(5_000), fc.nat(5_000), (interval, told) => {
      const { pace, clock, woken } = begin();
      pace.begun(interval + 1);
      pace.told(told + 1);
      clock.advance(Math.max(interval, told));
      expect([pace.ready(), woken()]).toEqual([false, 0]);
      clock.advance(1);
      expect([pace.ready(), woken()]).toEqual([true, 1]);
    }),
  );
});

it("ends for a message with its third throttled edit, for that message alone, until it is gone", () => {
  const { pace } = begin();
  for (let tries = 0; tries < 2; tries += 1) pace.throttled("a");
  pace.throttled("b");
  expect([...pace.finalOnly]).toEqual([]);
  pace.throttled("a");
  expect([...pace.finalOnly]).toEqual(["a"]);
  pace.forget("a");
  expect([...pace.finalOnly]).toEqual([]);
});

const load = fc.record({
  growing: fc.integer({ min: 1, max: 60 }),
  calls: fc.nat(100),
  refusals: fc.nat(3),
});
const intervalOf = ({ growing, calls, refusals }: { growing: number; calls: number; refusals: number }) =>
  growthInterval(
    { budget: BUDGET, lasts: 0, growing, free: (within) => calls + within / 1_000, refusals },
    LIMITS,
  );

it("gives many messages the shared interval on a budget without bounds, and few messages that of one alone", () => {
  const limits = { ...LIMITS, editEvery: 600, editShared: 1_750 };
  const budget = { every: 2 };
  const alone = growthInterval({ budget, lasts: 0, growing: 1, free: () => 1e6, refusals: 0 }, limits);
  expect(alone).toBe(600);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000 }), (growing) => {
      const interval = growthInterval({ budget, lasts: 0, growing, free: () => 1e6, refusals: 0 }, limits);
      expect(interval).toBe(growing <= 3 ? 600 : Math.min(1_750, growing * 200));
    }),
  );
});

it("is longer with more messages, fewer calls and more refusals, and never shorter than what one message may use", () => {
  fc.assert(
    fc.property(load, load, (one, other) => {
      const [less, more] = [
        {
          growing: Math.min(one.growing, other.growing),
          calls: Math.max(one.calls, other.calls),
          refusals: Math.min(one.refusals, other.refusals),
        },
        {
          growing: Math.max(one.growing, other.growing),
          calls: Math.min(one.calls, other.calls),
          refusals: Math.max(one.refusals, other.refusals),
        },
      ];
      expect(intervalOf(less)).toBeLessThanOrEqual(intervalOf(more));
      expect(intervalOf(less)).toBeGreaterThanOrEqual(BUDGET.every);
      expect(intervalOf(more)).toBeLessThanOrEqual(LIMITS.editAtMost);
    }),
  );
});

const intervalAfter = (
  lasts: number,
  budget: { readonly every: number; readonly within?: number } = BUDGET,
  calls = 60,
) => growthInterval({ budget, lasts, growing: 1, free: () => calls, refusals: 0 }, LIMITS);

it("is a little shorter for a message that has grown for long, while a moving window has calls left", () => {
  expect([0, 4_999, 5_000, 60_000].map((lasts) => intervalAfter(lasts))).toEqual([1_000, 1_000, 970, 970]);
  expect(intervalAfter(60_000, { every: 1_000 })).toBe(1_000);
  expect(intervalAfter(60_000, BUDGET, 3)).toBe(6_000);
});

/** Calls at any times, refused by the budget or made. */
const tries = fc.array(
  fc.record({ after: fc.nat(3_000), rank: fc.constantFrom("message", "growth", "live") }),
  {
    minLength: 1,
    maxLength: 400,
  },
);

it("never makes more calls within the time of a moving window than the platform allows", () => {
  fc.assert(
    fc.property(tries, fc.integer({ min: 1, max: 60 }), (given, burst) => {
      const clock = createManualClock();
      const budget = { ...BUDGET, burst, every: 60_000 / burst };
      const budgets = createCallBudgets(clock, () => {});
      const made: number[] = [];
      for (const { after, rank } of given) {
        clock.advance(after);
        if (!budgets.has(rank, budget)) continue;
        budgets.take(budget);
        made.push(clock.now());
      }
      for (const [index, at] of made.entries())
        expect((made[index + burst] ?? Infinity) - at).toBeGreaterThanOrEqual(budget.within);
    }),
  );
});

it("falls after a refusal for rate, and recovers", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), (refusals) => {
      const clock = createManualClock();
      const budgets = createCallBudgets(clock, () => {});
      const usual = budgets.interval(BUDGET, LIMITS);
      for (let no = 0; no < refusals; no += 1) budgets.refused(BUDGET);
      expect(budgets.interval(BUDGET, LIMITS)).toBe(usual * 2 ** Math.min(3, refusals));
      expect(budgets.interval({ ...BUDGET, name: "updates" }, LIMITS)).toBe(usual);
      let before = budgets.interval(BUDGET, LIMITS);
      for (let waited = 0; waited < 3; waited += 1) {
        clock.advance(30_000);
        const now = budgets.interval(BUDGET, LIMITS);
        expect(now).toBeLessThanOrEqual(before);
        before = now;
      }
      expect(before).toBe(usual);
    }),
  );
});

it("gives a message that is alone on a generous budget the platform's shortest interval", () => {
  const budgets = createCallBudgets(createManualClock(), () => {});
  expect(
    budgets.interval(
      generous.budgetOf("edit", { conversation: "c-0", surface: "board", place: "C", root: "1" }, null),
      generous,
    ),
  ).toBe(generous.editEvery);
});
