/** Benchmarks, by name; loaded when they run. */

import type { Bench } from "../../bench/bench.ts";

export const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  fleet: async () => (await import("./bench/fleet.ts")).fleetBench,
};
