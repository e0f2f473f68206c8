/** Traces through OpenTelemetry's SDK, which is loaded only if the standard variables enable it. */

import type * as Sdk from "@opentelemetry/sdk-trace";
import type { Millis } from "../../machine/id.ts";
import type { EarlyCore } from "../../feature.ts";
import { atMost } from "../../ports/host.ts";
import type { Observer } from "../../ports/observer.ts";
import type { TraceSettings } from "./settings.ts";

/** `close` sends the remaining spans within a time limit. */
type OpenTraces = Omit<Observer, "answered" | "streaming">;

/** An exporter that hangs or fails loses spans but affects nothing else. */
const SEND: Millis = 5_000;
const QUEUE = 2_048;
/** Milliseconds that the end of the process waits for spans. */
const LAST_WORDS: Millis = 2_000;

/** Null if no endpoint is set or the standard's switch is off. */
export const openTraces = async (
  config: TraceSettings,
  { clock, version }: Pick<EarlyCore, "clock" | "version">,
): Promise<OpenTraces | null> => {
  const url = endpointOf(config);
  if (url === null || config.OTEL_SDK_DISABLED === "true") return null;
  const [{ OTLPTraceExporter }, { resourceFromAttributes }, sdk, { createTraces }] = await Promise.all([
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-trace"),
    import("./traces.ts"),
  ]);
  const headers = { ...config.OTEL_EXPORTER_OTLP_HEADERS };
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: SEND });
  const sending = { exporter, exportTimeoutMillis: SEND, maxQueueSize: QUEUE };
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      "service.name": config.OTEL_SERVICE_NAME,
      "service.version": version,
    }),
    sampler: samplerOf(config, sdk),
    spanProcessors: [new sdk.BatchSpanProcessor(sending)],
  });
  const end = (): Promise<void> => provider.shutdown().catch(() => undefined);
  return {
    ...createTraces(provider.getTracer("parley", version), clock),
    close: async () => void (await atMost(clock, LAST_WORDS, end())),
  };
};

const samplerOf = (
  { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TraceSettings,
  sdk: typeof Sdk,
): Sdk.Sampler => {
  const root = name.endsWith("always_off")
    ? new sdk.AlwaysOffSampler()
    : name.endsWith("traceidratio")
      ? new sdk.TraceIdRatioBasedSampler(ratio)
      : new sdk.AlwaysOnSampler();
  return name.startsWith("parentbased_") ? new sdk.ParentBasedSampler({ root }) : root;
};

/** The general endpoint is a root; the endpoint for traces is a full address. */
const endpointOf = (config: TraceSettings): string | null => {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: root } = config;
  if (own !== undefined) return own;
  return root === undefined ? null : `${root.replace(/\/+$/, "")}/v1/traces`;
};
