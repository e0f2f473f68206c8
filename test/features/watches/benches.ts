/** Benchmarks of watches. */

import type { Bench } from "../../bench/bench.ts";

export const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  "first-looks": async () => (await import("./first-looks-bench.ts")).firstLooksBench,
};
