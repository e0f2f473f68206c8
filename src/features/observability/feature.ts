/** Figures for a scraper (`/metrics`), and traces if an endpoint for them is set. */

import { defineFeature } from "../../feature.ts";
import type { Route } from "../../ports/route.ts";
import type { Metrics } from "./metrics.ts";
import { traceSettings } from "./settings.ts";

export const observability = defineFeature({
  name: "observability",
  settings: traceSettings,
  observe: async (values, early) => {
    const [{ createMetrics }, { openTraces }] = await Promise.all([
      import("./metrics.ts"),
      import("./open-traces.ts"),
    ]);
    const metrics = createMetrics(early);
    const traces = await openTraces(values, early);
    return {
      kind: "observing",
      observers: traces === null ? [metrics] : [traces, metrics],
      open: async ({ figures }) => {
        metrics.read(figures);
        return { routes: [metricsRoute(metrics)] };
      },
    };
  },
});

/** Figures for Prometheus, as text. */
export const metricsRoute = (metrics: Metrics): Route => ({
  name: "metrics",
  path: "/metrics",
  answer: async () => {
    const { contentType, text } = await metrics.exposition();
    return new Response(text, { headers: { "content-type": contentType } });
  },
});
