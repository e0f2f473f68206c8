/** What is written to chat platforms. */

import { Counter, type Registry } from "prom-client";
import type { Surface } from "../ports/surface.ts";

type Applies = Pick<Surface, "apply">;

export const measureSurface = (registry: Registry): (<S extends Applies>(name: string, surface: S) => S) => {
  const calls = new Counter({
    name: "parley_deliveries_total",
    help: "Writes to a chat platform, by what became of them; throttled is a 429.",
    labelNames: ["surface", "operation", "outcome"],
    registers: [registry],
  });
  return (name, surface) => ({
    ...surface,
    apply: async (operation) => {
      const outcome = await surface.apply(operation);
      calls.inc({ surface: name, operation: operation.kind, outcome: outcome.kind });
      return outcome;
    },
  });
};
