/**
 * The crash matrix (D36): the host ends before and after every commit and every platform call of a scripted day,
 * and the threads at the end of the day are those of the day without a crash.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTown, type Town } from "./day.ts";
import { endEverywhere, troubledDays } from "./matrix.ts";

/** `npm run crash` lives through many more. */
const TROUBLED = 40;

let town: Town;

beforeAll(async () => {
  town = await createTown();
}, 180_000);

afterAll(() => town.fake.close());

describe("every message is in its thread once, in order, notices of the interruption aside", () => {
  it("where the host ends at any point of the day", { timeout: 900_000 }, async () => {
    const { days, failures, events } = await endEverywhere(town);
    console.log(`crash matrix: ${days.length} points, ${events} events replayed`);
    expect(failures).toEqual([]);
    expect(town.fake.violations).toEqual([]);
  });

  it("where it ends again and again while calls fail", { timeout: 900_000 }, async () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    console.log(`troubled days: ${TROUBLED} of seed ${seed} (npm run crash -- ${TROUBLED} ${seed})`);
    const { failures } = await troubledDays(town, seed, TROUBLED);
    expect(failures).toEqual([]);
    expect(town.fake.violations).toEqual([]);
  });
});
