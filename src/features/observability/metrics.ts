/** Metrics in Prometheus' text format: numbers and names from the code, without text of people. */

import { setTimeout as pause } from "node:timers/promises";
import { collectDefaultMetrics, Counter, Gauge, Registry, Histogram } from "prom-client";
import type { ConversationId } from "../../machine/id.ts";
import { isTurnOver } from "../../machine/state.ts";
import type { Usage } from "../../machine/vocabulary.ts";
import type { FleetHost, HostFigures } from "../../ports/figures.ts";
import type { Clock } from "../../ports/host.ts";
import { NO_KNOWLEDGE } from "../../ports/knowledge.ts";
import type { Observer } from "../../ports/observer.ts";

export interface Metrics extends Omit<Observer, "logFields"> {
  read(figures: HostFigures): void;
  exposition(): Promise<{ readonly contentType: string; readonly text: string }>;
}

interface MetricsDeps {
  readonly clock: Clock;
  /** Replaced by a test that reads the metric definitions. */
  readonly registry?: Registry;
}

export const createMetrics = ({ clock, registry = new Registry() }: MetricsDeps): Metrics => {
  let host: HostFigures = UNKNOWN;
  /** Metrics of the process sample the event loop a hundred times per second, so they start with the first read. */
  let begun: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    collectDefaultMetrics({ register: registry });
    return pause(FIRST_LOOKS);
  };
  countWaiting(registry, clock, () => host.waiting());
  const parked = "Checkouts that are parked, because nobody touched their conversations.";
  gauge(registry, "parley_checkouts_parked", parked, () => host.parked());
  const late = "Threads of a chat platform that have lacked something for a minute or longer.";
  gauge(registry, "parley_deliveries_late", late, () => host.lateOn(), "surface");
  countKnowledge(registry, () => host.knowledge());
  countHosts(registry, () => host.hosts());
  const answered = "Requests of the console that were answered.";
  const requests = counter(registry, "parley_http_requests_total", answered, "method", "route", "status");
  let streams = 0;
  gauge(registry, "parley_streams", "Event streams of the console that are open.", () => streams);
  return {
    model: measureModel(registry, clock),
    tools: measureTools(registry, clock),
    sandbox: measureSandbox(registry),
    surface: measureSurface(registry),
    heard: measureTurns(registry),
    answered: (method, route, status) => requests.inc({ method, route, status }),
    streaming: (open) => {
      streams = open;
    },
    read: (figures) => {
      host = figures;
    },
    exposition: async () => {
      begun ??= begin();
      await begun;
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: async () => registry.clear(),
  };
};

/** Figures until the host is open. */
const UNKNOWN: HostFigures = {
  waiting: () => [],
  parked: () => 0,
  hosts: async () => [],
  knowledge: NO_KNOWLEDGE.figures,
  lateOn: () => ({}),
};

/** Milliseconds until the first event loop delay is measured. */
const FIRST_LOOKS = 30;

const counter = <Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  ...labelNames: Label[]
): Counter<Label> => new Counter({ name, help, labelNames, registers: [registry] });

type Values = Readonly<Record<string, number>>;

/** A gauge that is read on demand; with a label, one value per label value. */
const gauge = (
  registry: Registry,
  name: string,
  help: string,
  look: () => number | Values | Promise<Values>,
  label?: string,
): void =>
  registry.registerMetric(
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [],
      async collect() {
        const found = await look();
        this.reset();
        if (typeof found === "number") this.set(found);
        else for (const [one, value] of Object.entries(found)) this.set({ [label ?? ""]: one }, value);
      },
    }),
  );

const countKnowledge = (registry: Registry, knowledge: HostFigures["knowledge"]): void => {
  const texts = "Texts beside checkouts that can be found: issues, comments, parts of pages.";
  gauge(registry, "parley_knowledge_texts", texts, () => knowledge().texts);
  const failing = "Sources of knowledge that something keeps from being read.";
  gauge(registry, "parley_knowledge_sources_failing", failing, () => knowledge().failing);
};

/** Hosts that left stay listed until they are forgotten, so that a lasting `0` can raise an alarm. */
const countHosts = (registry: Registry, hosts: HostFigures["hosts"]): void => {
  /** Shared by all metrics of one collection. */
  let asked: ReturnType<typeof hosts> | null = null;
  const once = (): ReturnType<typeof hosts> => {
    asked ??= hosts().finally(() => {
      asked = null;
    });
    return asked;
  };
  const perHost = (name: string, help: string, value: (host: FleetHost) => number | boolean): void => {
    const look = async () => Object.fromEntries((await once()).map((one) => [one.name, Number(value(one))]));
    gauge(registry, name, help, look, "host");
  };
  const up = "Hosts that share the database: 1 where one is there, 0 where it is silent.";
  perHost("parley_host_up", up, (one) => one.isLive);
  const active = "1 for a host that is active, 0 for one that is not.";
  perHost("parley_host_active", active, (one) => one.active);
  const behind = "Changes that a host's copy of the database lacks.";
  perHost("parley_host_behind", behind, (one) => one.behind);
};

const countWaiting = (registry: Registry, clock: Clock, waiting: HostFigures["waiting"]): void => {
  let first: number | undefined;
  gauge(registry, "parley_approvals_waiting", "Questions that wait for a person.", () => {
    const questions = waiting();
    first = questions[0]?.askedAt;
    return questions.length;
  });
  // Must be registered after the gauge that reads both values.
  const help = "Age of the question that has waited longest; 0 when none waits.";
  gauge(registry, "parley_approval_oldest_seconds", help, () =>
    first === undefined ? 0 : Math.max(0, clock.now() - first) / 1_000,
  );
};

/** Counts commands that did not run, because a broken sandbox needs the operator's attention. */
const measureSandbox = (registry: Registry): Metrics["sandbox"] => {
  const help = "Commands that did not run because the sandbox could not be set up, by profile.";
  const refused = counter(registry, "parley_sandbox_refused_total", help, "profile");
  return (sandbox) => ({
    ...sandbox,
    run: async (request, hooks) => {
      const result = await sandbox.run(request, hooks);
      if (result.kind === "failed") refused.inc({ profile: request.policy.profile });
      return result;
    },
  });
};

const measureSurface = (registry: Registry): Metrics["surface"] => {
  const help = "Writes to a chat platform, by what became of them; throttled is a 429.";
  const calls = counter(registry, "parley_deliveries_total", help, "surface", "operation", "outcome");
  return (name, surface) => ({
    ...surface,
    apply: async (operation) => {
      const outcome = await surface.apply(operation);
      calls.inc({ surface: name, operation: operation.kind, outcome: outcome.kind });
      return outcome;
    },
  });
};

const TOOL_BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300];

const measureTools = (registry: Registry, clock: Clock): Metrics["tools"] => {
  const seconds = new Histogram({
    name: "parley_tool_seconds",
    help: "Time that a call of a tool took, by tool, permission and whether its result was an error.",
    labelNames: ["tool", "permission", "outcome"],
    buckets: TOOL_BUCKETS,
    registers: [registry],
  });
  return (tools) => {
    const known = new Set(tools.specs.map(({ name }) => name));
    return {
      ...tools,
      run: async (run, hooks) => {
        const began = clock.now();
        const result = await tools.run(run, hooks);
        // The model may call tools that do not exist, under any name.
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

const measureTurns = (registry: Registry): Metrics["heard"] => {
  const left = "Turns that ended, by the phase that the conversation was left in.";
  const ended = counter(registry, "parley_turns_total", left, "phase");
  const open = new Set<ConversationId>();
  const help = "Turns that have begun and not ended, those that wait for a person included.";
  gauge(registry, "parley_turns_under_way", help, () => open.size);
  return (id, change) => {
    if (change.kind === "gone") open.delete(id);
    if (change.kind !== "state") return;
    const { phase } = change.overview.state;
    if (!isTurnOver(phase)) open.add(id);
    else if (open.delete(id)) ended.inc({ phase: phase.kind });
  };
};

const MODEL_BUCKETS = [0.5, 1, 2, 5, 10, 20, 40, 80, 160, 320];

const measureModel = (registry: Registry, clock: Clock): Metrics["model"] => {
  const seconds = new Histogram({
    name: "parley_model_request_seconds",
    help: "Time from a request to the end of its answer, by how it ended.",
    labelNames: ["outcome"],
    buckets: MODEL_BUCKETS,
    registers: [registry],
  });
  const tokens = counter(registry, "parley_model_tokens_total", "Tokens as the model counted them.", "kind");
  const cost = "What the answers cost by the price catalogue.";
  const dollars = counter(registry, "parley_model_cost_dollars_total", cost);
  const add = (usage: Usage): void => {
    tokens.inc({ kind: "input" }, usage.input);
    tokens.inc({ kind: "output" }, usage.output);
    tokens.inc({ kind: "cache_read" }, usage.cacheRead);
    tokens.inc({ kind: "cache_write" }, usage.cacheWrite);
    dollars.inc(usage.costMicroUsd / 1_000_000);
  };
  return (model) => ({
    ...model,
    respond: async (request, hooks) => {
      const began = clock.now();
      const answer = await model.respond(request, hooks);
      seconds.observe({ outcome: answer.kind }, Math.max(0, clock.now() - began) / 1_000);
      // Counted usage is spent, even without a useful answer.
      if (answer.usage !== undefined) add(answer.usage);
      return answer;
    },
  });
};
