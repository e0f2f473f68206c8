/** A hint is given at once, then every three seconds at most, and again before it ends (TH2, TA13). */

import { expect, it } from "vitest";
import { createTypingStatus } from "../../../src/runtime/deliver/typing-status.ts";
import { createVirtualClock } from "../../fakes/shared/clock.ts";

const scene = (delay = 0) => {
  const clock = createVirtualClock();
  let woken = 0;
  const hints = createTypingStatus(
    clock,
    90_000,
    () => void (woken += 1),
    () => delay,
  );
  return { clock, hints, woken: () => woken };
};

it("the first is due at once, and the same one not again until it fades", () => {
  const { clock, hints } = scene();
  expect(hints.due("is thinking")).toBe("is thinking");
  hints.given("is thinking");
  expect(hints.due("is thinking")).toBeUndefined();
  clock.advance(90_000);
  expect(hints.due("is thinking")).toBe("is thinking");
});

it("another one waits for three seconds, and somebody is woken then", () => {
  const { clock, hints, woken } = scene();
  hints.given("is thinking");
  expect(hints.due("is running bash")).toBeUndefined();
  clock.advance(3_000);
  expect(woken()).toBe(1);
  expect(hints.due("is running bash")).toBe("is running bash");
});

it("what stands is taken back at once, and where none stands nothing is", () => {
  const { hints } = scene();
  expect(hints.due(null)).toBeUndefined();
  hints.given("is thinking");
  expect([hints.due(null), hints.isOver()]).toEqual([null, false]);
  hints.ended();
  expect([hints.due(null), hints.isOver()]).toEqual([undefined, true]);
});

it("none is due where the platform takes none", () => {
  const { hints } = scene();
  hints.given("is thinking");
  hints.refused();
  expect([hints.due("is running bash"), hints.due(null), hints.isRefused()]).toEqual([
    undefined,
    undefined,
    true,
  ]);
});

it("the first of each turn waits where the platform shows the start itself, and later ones do not", () => {
  const { clock, hints, woken } = scene(700);
  expect([hints.due("is thinking"), hints.due("is thinking")]).toEqual([undefined, undefined]);
  clock.advance(699);
  expect(hints.due("is running bash")).toBeUndefined();
  clock.advance(1);
  expect(woken()).toBe(1);
  expect(hints.due("is running bash")).toBe("is running bash");
  hints.given("is running bash");
  hints.ended();
  clock.advance(3_000);
  expect(hints.due("is thinking")).toBe("is thinking");
  // The next turn.
  expect(hints.due(null)).toBeUndefined();
  expect(hints.due("is thinking")).toBeUndefined();
  clock.advance(700);
  expect(hints.due("is thinking")).toBe("is thinking");
});

it("a turn that ends before its first hint leaves none", () => {
  const { clock, hints, woken } = scene(700);
  expect(hints.due("is thinking")).toBeUndefined();
  expect([hints.due(null), hints.isOver()]).toEqual([undefined, true]);
  clock.advance(10_000);
  expect(woken()).toBe(0);
});
