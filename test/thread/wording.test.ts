/** Durations as people read them everywhere. */

import { expect, it } from "vitest";
import { durationText } from "../../src/thread/durations.ts";

it.each([
  [-5, "0.1 s"],
  [0, "0.1 s"],
  [240, "0.2 s"],
  [59_400, "59 s"],
  [59_600, "1 min"],
  [70_000, "1 min 10 s"],
  [7_500_000, "2 h 5 min"],
  [3_600_000, "1 h"],
  [273_600_000, "3 d 4 h"],
  [259_201_000, "3 d"],
])("%i ms is %s: two units at most, and none that is nothing", (millis, text) => {
  expect(durationText(millis)).toBe(text);
});
