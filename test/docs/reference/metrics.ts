/** Metrics: what the registry of a host holds before anything is counted. */

import { Registry } from "prom-client";
import { z } from "zod";
import { createMetrics } from "../../../src/metrics/metrics.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { code, table } from "./markdown.ts";

const kept = z.array(
  z.object({ name: z.string(), help: z.string(), labelNames: z.array(z.string()).default([]) }),
);

export const metrics = async (): Promise<string> => {
  const registry = new Registry();
  const counted = createMetrics({
    clock: systemClock,
    waiting: () => [],
    parked: () => 0,
    late: () => ({}),
    registry,
  });
  const types = typesIn((await counted.exposition(0)).text);
  const all = kept.parse(registry.getMetricsAsArray()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const own = all.filter(({ name }) => name.startsWith("parley_"));
  const rows = own.map(({ name, help, labelNames }) => [
    code(name),
    types.get(name) ?? "",
    labelNames.map(code).join(", "),
    help,
  ]);
  const others = all.filter((one) => !own.includes(one)).map(({ name }) => code(name));
  counted.close();
  return [
    table(["metric", "type", "labels", "meaning"], rows),
    `Of the process itself (prom-client's own): ${others.join(", ")}.`,
  ].join("\n\n");
};

const typesIn = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]));
