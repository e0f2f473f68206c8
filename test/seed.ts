/**
 * Where random tests begin. The commit decides, so that each explores days and inputs of its own and a run of it can
 * be had again; TEST_SEED=N begins elsewhere. Printed by whatever fails.
 */

import { execFileSync } from "node:child_process";

/** Whole, from 0 to below 2^31. */
export const testSeed = (): number => {
  const wish = Number(process.env["TEST_SEED"]);
  if (Number.isSafeInteger(wish) && wish > 0) return wish % LIMIT;
  head ??= commit();
  return Number.parseInt(head.slice(0, 7), 16);
};

/** Asked once: each file of a worker asks, and a worker of a gigabyte takes a while to start a process. */
let head: string | null = null;

const LIMIT = 2 ** 31;

const commit = (): string => {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    // A packed copy has no history.
    return FALLBACK;
  }
};

const FALLBACK = "5eed5ee";
