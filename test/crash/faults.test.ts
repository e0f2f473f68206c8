/**
 * The fault matrix: each call of the day to Slack fails in each way, one at a time, and the threads at the end of
 * the day are exactly those of a day without a fault.
 */

import { afterAll, beforeAll, expect, it } from "vitest";
import { createTown, type Town } from "./day.ts";
import { FAULTS, failEverywhere } from "./matrix.ts";

let town: Town;

beforeAll(async () => {
  town = await createTown();
}, 180_000);

afterAll(() => town.fake.close());

it("every message is in its thread once, in order, whichever call fails", { timeout: 900_000 }, async () => {
  const { days, failures } = await failEverywhere(town);
  console.log(`fault matrix: ${days.length} days, ${Object.keys(FAULTS).length} faults of each call`);
  expect(failures).toEqual([]);
  expect(town.fake.violations).toEqual([]);
});
