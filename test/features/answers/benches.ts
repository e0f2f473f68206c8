/** Benchmarks of answers that were posted. */

import type { Bench } from "../../bench/bench.ts";

export const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  stale: async () => (await import("./stale-bench.ts")).staleBench,
  reuse: async () => (await import("./reuse-bench.ts")).reuseBench,
};
