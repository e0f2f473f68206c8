/** Ports as they are, for tests and benchmarks that look at no figures. */

import type { Metrics } from "../../src/metrics/metrics.ts";

export const uncounted: Pick<Metrics, "surface"> = { surface: (_name, surface) => surface };
