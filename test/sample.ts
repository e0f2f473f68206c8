/**
 * How much of the slowest suites runs: a sample, all of it with `TEST_WHOLE=1` and under `npm run crash`. The commit
 * chooses the sample (`test/seed.ts`). CI (`CI=true`) runs every kernel tier.
 */

import { createHash } from "node:crypto";
import { testSeed } from "./seed.ts";

export const isAll: boolean = process.env["TEST_WHOLE"] === "1";
export const isWhole: boolean = process.env["CI"] === "true" || isAll;

/** Why the rest is left out, for whoever reads the run. */
export const SAMPLED = "a sample runs by default; TEST_WHOLE=1 runs all";

export const ofWhole = (whole: number, sample: number): number => (isAll ? whole : sample);

/** The sample of this commit has one of the cases. */
export const oneOfCases = <T>(cases: readonly T[]): readonly T[] =>
  isAll ? cases : cases.filter((_, no) => no === testSeed() % cases.length);

/** Whether the sample of this commit has that fault of a call: a third of the fault matrix. */
export const isSampledFault = (call: string, fault: string): boolean => isInSample(`${fault} ${call}`, 3);

/** Whether the sample of this commit has the case of that name: one case of `part`, another one with each commit. */
export const isInSample = (name: string, part: number): boolean =>
  isAll || createHash("sha256").update(`${testSeed()} ${name}`).digest().readUInt32BE() % part === 0;
