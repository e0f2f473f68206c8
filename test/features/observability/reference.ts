/** Section of docs/reference.md: what the registry of a host holds before anything is counted. */

import { Registry } from "prom-client";
import { z } from "zod";
import { systemClock } from "../../../src/app/system-clock.ts";
import { createMetrics } from "../../../src/features/observability/metrics.ts";
import { code, table } from "../../docs/reference/markdown.ts";

const kept = z.array(
  z.object({ name: z.string(), help: z.string(), labelNames: z.array(z.string()).default([]) }),
);

const body = async (): Promise<string> => {
  const registry = new Registry();
  const metrics = createMetrics({ clock: systemClock, registry });
  const types = typesIn((await metrics.exposition()).text);
  const all = kept.parse(registry.getMetricsAsArray()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const own = all.filter(({ name }) => name.startsWith("parley_"));
  const rows = own.map(({ name, help, labelNames }) => [
    code(name),
    types.get(name) ?? "",
    labelNames.map(code).join(", "),
    help,
  ]);
  await metrics.close();
  return [
    "`GET /metrics` of the console, with its token. [Alerts](operate.md#metrics).",
    table(["metric", "type", "labels", "meaning"], rows),
    "The defaults of prom-client describe the process: `nodejs_*` and `process_*`.",
  ].join("\n\n");
};

const typesIn = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]));

export const SECTION = { title: "Metrics", body };
