/** Several hosts on one database: a row of the table that has no figures yet. */

import type { Bench } from "./bench.ts";
import { skipped } from "./figure.ts";

export const fleetBench: Bench = {
  name: "fleet",
  what: "several hosts before one database",
  run: () =>
    Promise.resolve([
      skipped(
        "threads that go on after a host dies, steps a second by hosts",
        "not measured yet: this version keeps one database of its own for each host",
      ),
    ]),
};
