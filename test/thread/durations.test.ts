/** How long ago something was, in words. */

import { expect, it } from "vitest";
import { DAY } from "../../src/machine/id.ts";
import { ageText } from "../../src/thread/durations.ts";

it.each([
  [0, "just now"],
  [59_000, "just now"],
  [60_000, "1 minute ago"],
  [DAY / 24, "1 hour ago"],
  [DAY * 1.9, "1 day ago"],
  [DAY * 40, "40 days ago"],
])("%i milliseconds are %s", (age, text) => {
  expect(ageText(age)).toBe(text);
});
