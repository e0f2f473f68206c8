/**
 * How much of the slowest suites runs: a sample by default, all of it with `TEST_WHOLE=1` and under `npm run crash`. CI
 * (`CI=true`) runs every kernel tier, and of what repeats as much as its quarter of an hour allows.
 */

const isCi = process.env["CI"] === "true";

export const isAll: boolean = process.env["TEST_WHOLE"] === "1";
export const isWhole: boolean = isCi || isAll;

/** Why the rest is left out, for whoever reads the run. */
export const SAMPLED = "a sample runs by default; TEST_WHOLE=1 runs all";

/** What CI runs beyond the sample: one part of so many. */
const SHARE = 8;

export const ofWhole = (whole: number, sample: number): number => {
  if (isAll) return whole;
  return isCi ? sample + Math.round((whole - sample) / SHARE) : sample;
};
