/** The disk is full or read-only at every write of the day: refused clearly, and nothing acknowledged that was not stored. */

import { afterAll, beforeAll, expect, it } from "vitest";
import { refuseEverywhere } from "../matrix.ts";
import type { Town } from "../platform.ts";
import { createSlackTown } from "./slack.ts";

let town: Town;

beforeAll(async () => {
  town = await createSlackTown();
});

afterAll(() => town.close());

it("every message is in its thread once, in order, whichever write the disk refuses", async () => {
  const { met, days, failures } = await refuseEverywhere(town, "many a day");
  console.log(`disk matrix: ${met} writes refused on ${days} days`);
  expect(failures).toEqual([]);
  expect(town.violations).toEqual([]);
});
