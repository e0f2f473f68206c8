/** Traces where the standard's variables ask for them; loaded only then. */

import type { Metrics } from "../metrics/metrics.ts";
import { atMost, type Clock } from "../ports/host.ts";
import type { OpenedTraces } from "../traces/open.ts";
import type { Config } from "./settings/config.ts";
import { version } from "./settings/version.ts";

/** Milliseconds that the end of the process waits for spans. */
const LAST_WORDS = 2_000;

/** Null where no endpoint is set, or the standard's switch is off. */
export const openTracesOf = async (config: Config, clock: Clock): Promise<OpenedTraces | null> => {
  const url = endpointOf(config);
  if (url === null || config.OTEL_SDK_DISABLED) return null;
  const { openTraces } = await import("../traces/open.ts");
  const traces = openTraces({
    url,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    service: config.OTEL_SERVICE_NAME,
    version,
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    clock,
  });
  return { ...traces, close: async () => void (await atMost(clock, LAST_WORDS, traces.close())) };
};

/** The general endpoint is a root, that of traces an address. */
const endpointOf = (config: Config): string | null => {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: root } = config;
  if (own !== undefined) return own;
  return root === undefined ? null : `${root.replace(/\/+$/, "")}/v1/traces`;
};

/** The figures' observer, with the traces' beside it at each port. */
export const observing = (metrics: Metrics, traces: OpenedTraces | null): Metrics =>
  traces === null
    ? metrics
    : {
        ...metrics,
        model: (model) => metrics.model(traces.model(model)),
        tools: (tools) => metrics.tools(traces.tools(tools)),
        sandbox: (sandbox) => metrics.sandbox(traces.sandbox(sandbox)),
        surface: (name, surface) => metrics.surface(name, traces.surface(name, surface)),
        heard: (id, change) => {
          traces.heard(id, change);
          metrics.heard(id, change);
        },
      };
