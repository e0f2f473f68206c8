/**
 * The fault matrix: a call of the day to Slack fails in one way, and the threads at the end of the day are exactly those of a
 * day without a fault. The commit chooses a third of all calls and ways. `npm run crash` plays all.
 */

import { expect, it } from "vitest";
import { isSampledFault } from "../sample.ts";
import { failEverywhere } from "./matrix.ts";
import { priceless } from "./plainly.ts";
import { createSlackTown } from "./platforms/slack.ts";

it("every message is in its thread once, in order, whichever call fails", async () => {
  const { met, days, failures } = await failEverywhere(
    createSlackTown,
    "many a day",
    priceless,
    isSampledFault,
  );
  console.log(`fault matrix: ${met} calls failed on ${days} days`);
  expect(failures).toEqual([]);
});
