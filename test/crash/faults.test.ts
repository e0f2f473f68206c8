/**
 * The fault matrix: each call of the day to Slack fails in each way (a third of both, another one with each commit;
 * `npm run crash`: all), and the threads at the end of the day are exactly those of a day without a fault.
 */

import { expect, it } from "vitest";
import { isInSample } from "../sample.ts";
import { failEverywhere } from "./matrix.ts";
import { priceless } from "./plainly.ts";
import { createSlackTown } from "./platforms/slack.ts";

it("every message is in its thread once, in order, whichever call fails", async () => {
  const { met, days, failures } = await failEverywhere(
    createSlackTown,
    "many a day",
    priceless,
    (call, fault) => isInSample(`${fault} ${call}`, 3),
  );
  console.log(`fault matrix: ${met} calls failed on ${days} days`);
  expect(failures).toEqual([]);
});
