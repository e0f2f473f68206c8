/** Figures for a scraper, in Prometheus' text format: numbers and names of the code, nothing that people wrote. */

import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { Sandbox } from "../../sandbox/types.ts";
import type { ConversationId } from "../machine/id.ts";
import type { Change } from "../ports/bot.ts";
import type { Clock } from "../ports/host.ts";
import type { Model } from "../ports/model.ts";
import type { Store } from "../ports/store.ts";
import type { Surface } from "../ports/surface.ts";
import type { Tools } from "../ports/tools.ts";
import { measureModel } from "./model.ts";
import { measureSandbox } from "./sandbox.ts";
import { measureSurface } from "./surface.ts";
import { measureTools } from "./tools.ts";
import { measureTurns } from "./turns.ts";

export interface Metrics {
  /** The same port, counted. */
  model(model: Model): Model;
  tools(tools: Tools): Tools;
  sandbox(sandbox: Sandbox): Sandbox;
  /** `name` of the chat platform. */
  surface<S extends Pick<Surface, "apply">>(name: string, surface: S): S;
  /** Every change of every conversation. */
  heard(id: ConversationId, change: Change): void;
  /** A request of the console. `route` is the pattern of the route, never the path. */
  answered(method: string, route: string, status: number): void;
  /** `streams`: event streams of the console that are open. */
  exposition(streams: number): Promise<Exposition>;
  close(): void;
}

interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

interface MetricsDeps {
  readonly clock: Clock;
  readonly waiting: Store["waiting"];
  /** Checkouts that are parked. */
  readonly parked: () => number;
  /** Threads of each chat platform that have lacked something for a minute. */
  readonly late: () => Readonly<Record<string, number>>;
  /** Whoever wants to look at the figures' definitions gives one. */
  readonly registry?: Registry;
}

export const createMetrics = (deps: MetricsDeps): Metrics => {
  const { registry = new Registry() } = deps;
  collectDefaultMetrics({ register: registry });
  countWaiting(registry, deps);
  countParked(registry, deps);
  countLate(registry, deps);
  const requests = new Counter({
    name: "parley_http_requests_total",
    help: "Requests of the console that were answered.",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const open = new Gauge({
    name: "parley_streams",
    help: "Event streams of the console that are open.",
    registers: [registry],
  });
  return {
    model: measureModel(registry, deps.clock),
    tools: measureTools(registry, deps.clock),
    sandbox: measureSandbox(registry),
    surface: measureSurface(registry),
    heard: measureTurns(registry),
    answered: (method, route, status) => requests.inc({ method, route, status }),
    exposition: async (streams) => {
      open.set(streams);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: () => registry.clear(),
  };
};

const countParked = (registry: Registry, { parked }: MetricsDeps): void =>
  registry.registerMetric(
    new Gauge({
      name: "parley_checkouts_parked",
      help: "Checkouts that are parked, because nobody touched their conversations.",
      registers: [],
      collect() {
        this.set(parked());
      },
    }),
  );

const countLate = (registry: Registry, { late }: MetricsDeps): void =>
  registry.registerMetric(
    new Gauge({
      name: "parley_deliveries_late",
      help: "Threads of a chat platform that have lacked something for a minute or longer.",
      labelNames: ["surface"],
      registers: [],
      collect() {
        for (const [surface, count] of Object.entries(late())) this.set({ surface }, count);
      },
    }),
  );

/** Looked up when they are asked for, once for both. */
const countWaiting = (registry: Registry, { clock, waiting }: MetricsDeps): void => {
  const oldest = new Gauge({
    name: "parley_approval_oldest_seconds",
    help: "Age of the question that has waited longest; 0 when none waits.",
    registers: [],
  });
  registry.registerMetric(
    new Gauge({
      name: "parley_approvals_waiting",
      help: "Questions that wait for a person.",
      registers: [],
      collect() {
        const questions = waiting();
        const [first] = questions;
        this.set(questions.length);
        oldest.set(first === undefined ? 0 : Math.max(0, clock.now() - first.askedAt) / 1_000);
      },
    }),
  );
  // After the one that sets it.
  registry.registerMetric(oldest);
};
