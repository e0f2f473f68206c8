/** Benchmarks, by name; loaded when they run. */

import type { Bench } from "../../bench/bench.ts";

export const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  knowledge: async () => (await import("./bench/knowledge.ts")).knowledgeBench,
};
