/**
 * Writes to a forge on a day of the crash matrix: the host ends before and after each commit and each request to the forge,
 * and each request to the forge fails in two ways (`npm run crash`: in all). What stands on the forge and in the threads is
 * what stands there on a day without trouble: once (9, items 3 and "What it must reach").
 */

import { afterAll, beforeAll, expect, it } from "vitest";
import { live } from "./day.ts";
import { createForgeTown, settled } from "./forge.ts";
import { endEverywhere, failEverywhere } from "./matrix.ts";
import type { Town } from "./platform.ts";

/** Requests and commits; `npm run crash` takes the calls to Slack too, which other days end at. */
const isAboutWrites = (name: string): boolean => /^(before|after) (GET|POST|commit) ?/.test(name);

let town: Town;
beforeAll(async () => {
  town = await createForgeTown();
});
afterAll(() => town.close());

it("a day without trouble leaves an issue, a comment, a label and a draft", async () => {
  const { threads } = await live(town);
  await expect(threads["forge"]).toMatchFileSnapshot("threads/forge-left.txt");
  expect(town.violations).toEqual([]);
});

it("where the host ends at any point, everything is on the forge once", { timeout: 600_000 }, async () => {
  const { met, days, failures } = await endEverywhere(town, "many a day", isAboutWrites);
  console.log(`forge, ends: ${met} points on ${days} days`);
  expect(failures).toEqual([]);
  expect(town.violations).toEqual([]);
});

const create = () => createForgeTown("a reset before it was done", "a lost acknowledgement");

it("whichever request fails, everything is on the forge once", { timeout: 600_000 }, async () => {
  const { met, days, failures } = await failEverywhere(create, "many a day", settled);
  console.log(`forge, faults: ${met} requests failed on ${days} days`);
  expect(failures).toEqual([]);
});
