/** OpenTelemetry as the standard's variables configure it. Nothing of it is loaded where no endpoint is set. */

import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Millis } from "../machine/id.ts";
import type { Clock } from "../ports/host.ts";
import { createTraces, type Traces } from "./traces.ts";

interface TraceOptions {
  /** Where spans are sent to, as OTLP over HTTP in JSON. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly version: string;
  /** As OTEL_TRACES_SAMPLER names it. */
  readonly sampler: `${"" | "parentbased_"}${"always_on" | "always_off" | "traceidratio"}`;
  /** Part of the turns, 0 to 1, where the sampler takes a part. */
  readonly ratio: number;
  readonly clock: Pick<Clock, "now">;
}

export interface OpenedTraces extends Traces {
  /** Sends what is left, for a bounded time. Never rejects. */
  close(): Promise<void>;
}

/** An exporter that hangs or fails costs spans, and nothing else. */
const SEND: Millis = 5_000;
const QUEUE = 2_048;

export const openTraces = (options: TraceOptions): OpenedTraces => {
  const { url, headers, service, version, clock } = options;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service, "service.version": version }),
    sampler: samplerOf(options),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: SEND, maxQueueSize: QUEUE })],
  });
  return {
    ...createTraces(provider.getTracer("parley", version), clock),
    close: () => provider.shutdown().catch(() => undefined),
  };
};

const samplerOf = ({ sampler, ratio }: TraceOptions): Sampler => {
  const isByParent = sampler.startsWith("parentbased_");
  const root = rootOf(sampler, ratio);
  return isByParent ? new ParentBasedSampler({ root }) : root;
};

const rootOf = (sampler: TraceOptions["sampler"], ratio: number): Sampler => {
  if (sampler.endsWith("always_off")) return new AlwaysOffSampler();
  return sampler.endsWith("traceidratio") ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
};
