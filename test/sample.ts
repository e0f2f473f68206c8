/**
 * How much of the slowest suites runs: a sample by default, all of it in CI (`CI=true`), with `TEST_WHOLE=1`, and under
 * `npm run crash`.
 */

export const isWhole: boolean = process.env["CI"] === "true" || process.env["TEST_WHOLE"] === "1";

/** Why the rest is left out, for whoever reads the run. */
export const SAMPLED = "a sample runs by default; TEST_WHOLE=1 runs all";

export const ofWhole = (whole: number, sample: number): number => (isWhole ? whole : sample);
