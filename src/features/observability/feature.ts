import { defineFeature } from "../../feature.ts";
import type { ConsoleRequest } from "../../ports/console.ts";
import type { Metrics } from "./metrics.ts";
import { traceSettings } from "./settings.ts";

export const metricsRequest = (own: () => Metrics): ConsoleRequest => ({
  method: "get",
  path: "/metrics",
  does: "Metrics for Prometheus, as text.",
  approvers: null,
  counter: "metrics",
  answer: async () => {
    const { contentType, text } = await own().exposition();
    return new Response(text, { headers: { "content-type": contentType } });
  },
});

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
      observers: traces === null ? [metrics] : [traces, metrics],
      open: async ({ figures }) => {
        metrics.read(figures);
        return { own: metrics };
      },
    };
  },
  requests: (own: () => Metrics) => [metricsRequest(own)],
});
