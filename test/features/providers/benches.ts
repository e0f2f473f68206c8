/** Benchmarks, by name; loaded when they run. */

import type { Bench } from "../../bench/bench.ts";

export const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  model: async () => (await import("./model-bench.ts")).modelBench,
};
