/** Figures for a scraper, in Prometheus' text format. */

import { monitorEventLoopDelay } from "node:perf_hooks";

export interface Metrics {
  /** `route` is the pattern of the route, never the path: few values, nothing private. */
  answered(method: string, route: string, status: number): void;
  text(gauges: Readonly<Record<string, number>>): string;
  close(): void;
}

export const createMetrics = (): Metrics => {
  const answers = new Map<string, number>();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  return {
    answered: (method, route, status) => {
      const labels = `method="${method}",route="${route}",status="${status}"`;
      answers.set(labels, (answers.get(labels) ?? 0) + 1);
    },
    text: (gauges) => {
      const { rss, heapUsed } = process.memoryUsage();
      const lines = [
        ...family("process_uptime_seconds", "gauge", process.uptime()),
        ...family("process_resident_memory_bytes", "gauge", rss),
        ...family("nodejs_heap_used_bytes", "gauge", heapUsed),
        "# TYPE nodejs_eventloop_delay_seconds summary",
        ...[50, 99].map(
          (p) => `nodejs_eventloop_delay_seconds{quantile="${p / 100}"} ${delay.percentile(p) / 1e9}`,
        ),
        ...Object.entries(gauges).flatMap(([name, value]) => family(name, "gauge", value)),
        "# TYPE parley_http_requests_total counter",
        ...[...answers].map(([labels, count]) => `parley_http_requests_total{${labels}} ${count}`),
      ];
      return `${lines.join("\n")}\n`;
    },
    close: () => void delay.disable(),
  };
};

const family = (name: string, type: string, value: number): readonly string[] => [
  `# TYPE ${name} ${type}`,
  `${name} ${value}`,
];
