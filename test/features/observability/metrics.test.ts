import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { systemClock } from "../../../src/app/system-clock.ts";
import type { ConversationId } from "../../../src/machine/id.ts";
import { createMetrics } from "../../../src/features/observability/metrics.ts";
import type { Conversation } from "../../../src/ports/conversation.ts";
import { NO_KNOWLEDGE } from "../../../src/ports/knowledge.ts";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { SendOutcome, Surface } from "../../../src/ports/surface.ts";
import { root, startHost } from "../../app/cli/host.ts";
import { inPhase, phases } from "../../machine/samples.ts";
import { createManualClock } from "../../runtime/world.ts";
import { sampleRepo } from "../../sample-repo.ts";
import { scratch } from "../../scratch.ts";
import { startSandbox } from "../../workspace/scene.ts";

/** Names and labels with their figures. */
const parsed = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );

it("a conversation's turn, model requests, tools and waiting question are counted, and no word of it is told", async () => {
  const host = await startHost(scratch("metrics"), { PARLEY_REPO: await sampleRepo("# Sample\n") });
  onTestFinished(() => void host.process.kill("SIGKILL"));
  const figures = async () => {
    const { body } = await host.call("GET", "/metrics");
    return { text: z.string().parse(body), map: parsed(z.string().parse(body)) };
  };
  const { id } = z
    .looseObject({ id: z.string() })
    .parse((await host.call("POST", "/api/conversations", {})).body);
  await host.call("POST", `/api/conversations/${id}/messages`, { text: "add a line to README.md" });
  const waiting = await vi.waitFor(
    async () => {
      const { map } = await figures();
      expect(map.get("parley_approvals_waiting")).toBe(1);
      return map;
    },
    { interval: 50 },
  );
  expect(waiting.get("parley_approval_oldest_seconds")).toBeGreaterThan(0);
  expect(waiting.get("parley_turns_under_way")).toBe(1);

  const { question } = z
    .looseObject({ question: z.looseObject({ id: z.string() }) })
    .parse((await host.call("GET", `/api/conversations/${id}`)).body);
  await host.call("POST", `/api/conversations/${id}/actions`, {
    action: "decide",
    question: question.id,
    choice: "approve",
  });
  const { text, map } = await vi.waitFor(
    async () => {
      const found = await figures();
      expect(found.map.get('parley_turns_total{phase="idle"}')).toBe(1);
      return found;
    },
    { interval: 50 },
  );
  expect(map.get("parley_approvals_waiting")).toBe(0);
  expect(map.get("parley_approval_oldest_seconds")).toBe(0);
  expect(map.get('parley_model_request_seconds_count{outcome="answered"}')).toBeGreaterThan(1);
  expect(map.get('parley_tool_seconds_count{tool="patch",permission="unrestricted",outcome="done"}')).toBe(1);
  expect(text).not.toContain(id);
  expect(text).not.toContain("README");
});

it("a turn is under way until it ends, however it ends: a sub-agent's, one that fills the context, one that is removed", async () => {
  const metrics = createMetrics({ clock: systemClock });
  onTestFinished(metrics.close);
  const underWay = async () => parsed((await metrics.exposition()).text).get("parley_turns_under_way");
  const reach = (id: ConversationId, phase: keyof typeof phases): void => {
    const conversation: Conversation = {
      id,
      surface: "console",
      title: "",
      repo: { kind: "path", location: "/r" },
      createdBy: "console:operator",
      createdAt: 0,
      updatedAt: 0,
      prefix: "",
      base: null,
      origin: null,
    };
    const overview = { conversation, state: inPhase(phases[phase]) };
    metrics.heard(id, { kind: "state", overview, status: null, question: null });
  };
  const ids = ["c-1", "c-2", "c-3"] as const;
  for (const id of ids) reach(id, "thinking");
  expect(await underWay()).toBe(3);
  reach("c-1", "ended");
  reach("c-2", "exhausted");
  metrics.heard("c-3", { kind: "gone" });
  expect(await underWay()).toBe(0);
});

it("writes to a chat platform are counted by what became of them", async () => {
  const metrics = createMetrics({ clock: systemClock });
  onTestFinished(metrics.close);
  const done: SendOutcome = { kind: "done", id: "1" };
  const outcomes: SendOutcome[] = [done, { kind: "throttled", retryAfter: 5 }];
  const platform: Pick<Surface, "apply"> = { apply: () => Promise.resolve(outcomes.shift() ?? done) };
  const counted = metrics.surface("slack", platform);
  const thread = { conversation: "c-1", surface: "slack", place: "C1", root: "1.2" } as const;
  for (let n = 0; n < 3; n++) await counted.apply({ kind: "delete", thread, wire: "w", id: "1.3" });
  const map = parsed((await metrics.exposition()).text);
  const of = (outcome: string) =>
    map.get(`parley_deliveries_total{surface="slack",operation="delete",outcome="${outcome}"}`);
  expect([of("done"), of("throttled")]).toEqual([2, 1]);
});

it("each request to the model is counted with its time, tokens and cost, those that broke off included", async () => {
  const clock = createManualClock();
  const metrics = createMetrics({ clock });
  onTestFinished(metrics.close);
  const usage = { input: 100, output: 20, cacheRead: 3, cacheWrite: 4, costMicroUsd: 1_500_000 };
  const failure = { kind: "network", message: "cut", retryAfter: null } as const;
  const outcomes: ModelOutcome[] = [
    { kind: "answered", blocks: [], stop: "end", usage },
    { kind: "failed", failure, usage },
    { kind: "failed", failure },
  ];
  const model = metrics.model({
    window: () => 1,
    respond: () => {
      clock.advance(3_000);
      return Promise.resolve(outcomes.shift() ?? { kind: "aborted" });
    },
  });
  const request = {
    conversation: "c-1",
    model: "m",
    prefix: { hash: "", system: "", tools: [] },
    messages: [],
  } as const;
  const hooks = { signal: new AbortController().signal, onText: () => undefined };
  for (let n = 0; n < 4; n++) await model.respond(request, hooks);
  const map = parsed((await metrics.exposition()).text);
  const seconds = (outcome: string) =>
    ["count", "sum"].map((part) => map.get(`parley_model_request_seconds_${part}{outcome="${outcome}"}`));
  expect([seconds("answered"), seconds("failed"), seconds("aborted")]).toEqual([
    [1, 3],
    [2, 6],
    [1, 3],
  ]);
  const tokens = (kind: string) => map.get(`parley_model_tokens_total{kind="${kind}"}`);
  expect(["input", "output", "cache_read", "cache_write"].map(tokens)).toEqual([200, 40, 6, 8]);
  expect(map.get("parley_model_cost_dollars_total")).toBe(3);
});

it("a command that the sandbox could not run is counted by its profile, and no other", async () => {
  const metrics = createMetrics({ clock: systemClock });
  onTestFinished(metrics.close);
  const bare = await startSandbox();
  onTestFinished(() => bare.close());
  const sandbox = metrics.sandbox(bare);
  const run = (source: string) =>
    sandbox.run({
      policy: {
        profile: "restricted",
        network: "none",
        mounts: [{ source, target: "/work", write: false }],
        cwd: sandbox.probe.mounts ? "/work" : source,
        identity: 0,
      },
      argv: ["true"],
      env: { PATH: "/usr/bin:/bin" },
      timeoutMs: 120_000,
      keep: { head: 9, tail: 9 },
    });
  expect((await run("/usr")).kind).toBe("exited");
  expect((await run("/nonexistent/place")).kind).toBe("failed");
  const map = parsed((await metrics.exposition()).text);
  expect(map.get('parley_sandbox_refused_total{profile="restricted"}')).toBe(1);
});

it("no figure has a label that grows with conversations, people or places", async () => {
  const registry = new Registry();
  const metrics = createMetrics({ clock: systemClock, registry });
  onTestFinished(metrics.close);
  const own = registry.getMetricsAsArray().filter(({ name }) => name.startsWith("parley_"));
  expect(own.length).toBeGreaterThan(10);
  const labels = new Set(
    own.flatMap((metric) => ("labelNames" in metric ? z.array(z.string()).parse(metric.labelNames) : [])),
  );
  expect([...labels].toSorted()).toEqual([
    "host",
    "kind",
    "method",
    "operation",
    "outcome",
    "permission",
    "phase",
    "profile",
    "route",
    "status",
    "surface",
    "tool",
  ]);
  expect((await metrics.exposition()).text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
});

it("the reference describes every metric and no other, and the operators' guide names only metrics of it", async () => {
  const metrics = createMetrics({ clock: systemClock });
  onTestFinished(metrics.close);
  const { text } = await metrics.exposition();
  const exposed = [...text.matchAll(/^# HELP (parley_\S+)/gm)]
    .map(([, name = ""]) => name)
    .toSorted((a, b) => a.localeCompare(b));
  const reference = readFileSync(join(root, "docs/reference.md"), "utf8");
  const described = [...reference.matchAll(/^\| `(parley_[a-z_]+)/gm)]
    .map(([, name = ""]) => name)
    .toSorted((a, b) => a.localeCompare(b));
  expect(described).toEqual(exposed);
  const guide = readFileSync(join(root, "docs/operate.md"), "utf8");
  const named = [...guide.matchAll(/`(parley_[a-z_]+)/g)].map(([, name = ""]) => name.replace(/_count$/, ""));
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !exposed.includes(name))).toEqual([]);
});

it("late deliveries are counted for each platform", async () => {
  const metrics = createMetrics({ clock: systemClock });
  onTestFinished(metrics.close);
  metrics.read({
    waiting: () => [],
    parked: () => 0,
    hosts: async () => [],
    knowledge: NO_KNOWLEDGE.figures,
    lateOn: () => ({ slack: 2, discord: 0 }),
  });
  const found = parsed((await metrics.exposition()).text);
  expect(found.get('parley_deliveries_late{surface="slack"}')).toBe(2);
  expect(found.get('parley_deliveries_late{surface="discord"}')).toBe(0);
});
