/** Calls of tools. */

import { Histogram, type Registry } from "prom-client";
import type { Clock } from "../ports/host.ts";
import type { Tools } from "../ports/tools.ts";

const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300];

export const measureTools = (registry: Registry, clock: Clock): ((tools: Tools) => Tools) => {
  const seconds = new Histogram({
    name: "parley_tool_seconds",
    help: "Time that a call of a tool took, by tool, permission and whether its result was an error.",
    labelNames: ["tool", "permission", "outcome"],
    buckets: BUCKETS,
    registers: [registry],
  });
  return (tools) => {
    const known = new Set(tools.specs.map(({ name }) => name));
    return {
      ...tools,
      run: async (run, hooks) => {
        const began = clock.now();
        const result = await tools.run(run, hooks);
        // The model may ask for tools that do not exist, under any name.
        const tool = known.has(run.name) ? run.name : "unknown";
        const outcome = result.isError ? "error" : "done";
        seconds.observe(
          { tool, permission: run.permission, outcome },
          Math.max(0, clock.now() - began) / 1_000,
        );
        return result;
      },
    };
  };
};
