/**
 * The crash matrix over Discord, through the REST client of discord.js: some days of it, and calls of the day that fail in the
 * ways that found most faults. The commit chooses a third of the calls and ways. `npm run crash` plays all.
 */

import { expect, it } from "vitest";
import { createDiscordTown } from "./discord.ts";
import { failEverywhere, troubledDays } from "../matrix.ts";
import { priceless } from "../plainly.ts";
import type { Town } from "../platform.ts";
import { isSampledFault, ofWhole } from "../../sample.ts";
import { testSeed } from "../../seed.ts";

const TROUBLED = ofWhole(8, 4);
const FAULTS: readonly string[] = [
  "429 of the route",
  "a lost acknowledgement",
  "a reset before it was applied",
  "an answer that is none",
];

it("every message is in its thread once, in order, where the host ends while calls fail", async () => {
  const town = await createDiscordTown();
  const seed = testSeed();
  console.log(`troubled days over Discord: ${TROUBLED} of seed ${seed}`);
  const { failures } = await troubledDays(town, seed, TROUBLED);
  expect(failures).toEqual([]);
  expect(town.violations).toEqual([]);
  await town.close();
});

it("every message is in its thread once, in order, whichever call fails", async () => {
  const { met, days, failures } = await failEverywhere(
    createSomeFaults,
    "many a day",
    priceless,
    isSampledFault,
  );
  console.log(`fault matrix over Discord: ${met} calls failed on ${days} days`);
  expect(met).toBeGreaterThan(0);
  expect(failures).toEqual([]);
});

const createSomeFaults = async (): Promise<Town> => {
  const town = await createDiscordTown();
  return { ...town, faults: town.faults.filter(({ name }) => FAULTS.includes(name)) };
};
