/**
 * The disk refuses each commit of the day for a while, full or read-only: what it refused was not acknowledged and is
 * done when it can be, and the threads at the end of the day lack nothing and have nothing twice.
 */

import { afterAll, beforeAll, expect, it } from "vitest";
import { createTown, type Town } from "./day.ts";
import { refuseEverywhere } from "./matrix.ts";

let town: Town;

beforeAll(async () => {
  town = await createTown();
}, 180_000);

afterAll(() => town.fake.close());

it("every message is in its thread once, in order, whichever commit is refused", {
  timeout: 900_000,
}, async () => {
  const { days, failures } = await refuseEverywhere(town);
  console.log(`disk matrix: ${days.length} days, a full and a read-only disk at every batch of writes`);
  expect(failures).toEqual([]);
  expect(town.fake.violations).toEqual([]);
});
