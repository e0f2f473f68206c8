/**
 * The crash matrix (D36): the host ends before and after every commit and every platform call of a scripted day,
 * and the threads at the end of the day are those of the day without a crash.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ofWhole } from "../sample.ts";
import { testSeed } from "../seed.ts";
import { endEverywhere, troubledDays } from "./matrix.ts";
import type { Town } from "./platform.ts";
import { createSlackTown } from "./platforms/slack.ts";

/** `npm run crash` lives through many more. */
const TROUBLED = ofWhole(40, 12);

let town: Town;

beforeAll(async () => {
  town = await createSlackTown();
});

afterAll(() => town.close());

describe("every message is in its thread once, in order, notices of the interruption aside", () => {
  it("where the host ends at any point of the day", async () => {
    const { met, days, failures, events } = await endEverywhere(town, "many a day");
    console.log(`crash matrix: ${met} points on ${days} days, ${events} events replayed`);
    expect(failures).toEqual([]);
    expect(town.violations).toEqual([]);
  });

  it("where it ends again and again while calls fail", async () => {
    const seed = testSeed();
    console.log(`troubled days: ${TROUBLED} of seed ${seed} (npm run crash -- ${TROUBLED} ${seed})`);
    const { failures } = await troubledDays(town, seed, TROUBLED);
    expect(failures).toEqual([]);
    expect(town.violations).toEqual([]);
  });
});
