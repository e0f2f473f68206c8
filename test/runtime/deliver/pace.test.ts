/** How often progress is changed: the interval follows what the platform bears. */

import { expect, it } from "vitest";
import { createPace } from "../../../src/runtime/deliver/pace.ts";
import { createManualClock } from "../world.ts";
import { generous } from "./board.ts";

const EVERY = generous.editEvery;

/** Makes a change; answers how long it takes until another one may be made. */
const waitAfter = (
  { pace, clock }: ReturnType<typeof begin>,
  { share = 0, takes = 0 }: { readonly share?: number; readonly takes?: number } = {},
): number => {
  pace.begun(share);
  for (let waited = 0; ; waited += 1) {
    if (waited === takes) pace.made();
    if (pace.ready() && waited >= takes) return waited;
    clock.advance(1);
  }
};

const begin = () => {
  const clock = createManualClock();
  let woken = 0;
  const pace = createPace(clock, generous, () => {
    woken += 1;
  });
  return { clock, pace, woken: () => woken };
};

it("is the platform's, and whoever waits is woken once it is over", () => {
  const one = begin();
  expect(one.pace.ready()).toBe(true);
  expect(waitAfter(one)).toBe(EVERY);
  expect(one.woken()).toBe(1);
});

it("counts from call to call: a slow answer does not come on top", () => {
  expect(waitAfter(begin(), { takes: EVERY - 100 })).toBe(EVERY);
  expect(waitAfter(begin(), { takes: EVERY + 100 })).toBe(EVERY + 100);
});

it("counts from the last of several calls", () => {
  const one = begin();
  one.pace.begun(0);
  one.clock.advance(EVERY - 100);
  one.pace.begun(0);
  one.clock.advance(EVERY - 1);
  expect(one.pace.ready()).toBe(false);
  one.clock.advance(1);
  expect(one.pace.ready()).toBe(true);
  expect(one.woken()).toBe(1);
});

it("is longer where many share what may be spent", () => {
  expect(waitAfter(begin(), { share: 3 * EVERY })).toBe(3 * EVERY);
});

it("doubles with each throttled try up to the longest, and comes down again step by step", () => {
  const one = begin();
  one.pace.throttled("a");
  one.pace.throttled("b");
  expect(waitAfter(one)).toBe(4 * EVERY);
  const eased = [waitAfter(one), waitAfter(one), waitAfter(one)];
  expect(eased).toEqual([3_200, 2_560, 2_048].map((ms) => (ms * EVERY) / 1_000));
  for (let tries = 0; tries < 10; tries += 1) one.pace.throttled("c");
  expect(waitAfter(one)).toBe(generous.editAtMost);
  for (let tries = 0; tries < 20; tries += 1) waitAfter(one);
  expect(waitAfter(one)).toBe(EVERY);
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
