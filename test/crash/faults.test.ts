/**
 * The fault matrix: each call of the day to Slack fails in each way, and the threads at the end of
 * the day are exactly those of a day without a fault.
 */

import { expect, it } from "vitest";
import { failEverywhere } from "./matrix.ts";
import { createSlackTown } from "./platforms/slack.ts";

it("every message is in its thread once, in order, whichever call fails", async () => {
  const { met, days, failures } = await failEverywhere(createSlackTown, "many a day");
  console.log(`fault matrix: ${met} calls failed on ${days} days`);
  expect(failures).toEqual([]);
});
