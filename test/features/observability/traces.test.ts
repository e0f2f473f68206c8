/** Traces as a collector receives them: of the real host's turn, of deliveries, and none where nobody asks. */

import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SendOutcome, Surface } from "../../../src/ports/surface.ts";
import { openTraces } from "../../../src/features/observability/open-traces.ts";
import { traceSettings } from "../../../src/features/observability/settings.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { root } from "../../app/cli/host.ts";
import { createRig } from "../../e2e/rig.ts";
import { call, say } from "../../fakes/anthropic/turn.ts";
import type { Exchange } from "../../fakes/shared/exchange.ts";
import { type Collector, createCollector } from "./collector.ts";

const collector = async (status?: number): Promise<Collector> => {
  const made = await createCollector(status);
  onTestFinished(() => made.close());
  return made;
};

const KEY = "canary-collector-9f3a71";
const SAID = ["zqmessage", "zqanswer", "zqcommand", "zqoutput", "zqfile", "zqreason", "zqtool"] as const;

it("a turn is one trace: its requests, tools, commands and the wait for a person, without a word of it", async () => {
  const collected = await collector();
  const rig = await createRig({
    OTEL_EXPORTER_OTLP_ENDPOINT: collected.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${KEY}`,
    OTEL_SERVICE_NAME: "parley-test",
    PARLEY_LOG_LEVEL: "info",
  });
  const thread = await rig.begin();
  rig.fake.script(
    call("bash", { command: "echo zqcommand > /tmp/zqfile; echo zqoutput" }),
    call("zqtool", {}),
    call("request_mode_upgrade", { reason: "zqreason" }),
  );
  const asked = await thread.turn("zqmessage");
  rig.fake.script(say("zqanswer"));
  await thread.act({ action: "decide", question: asked.question?.id, choice: "approve" });
  await thread.until("idle");
  expect(JSON.stringify(rig.fake.requests.at(-1)?.body)).toContain("zqoutput");
  // What is left is sent at the end of the process.
  expect(await rig.host().stop("SIGTERM")).toBe(0);

  const { spans } = collected;
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [turn] = named("turn");
  expect(turn?.attributes).toEqual({ "gen_ai.conversation.id": thread.id, "parley.phase": "idle" });
  expect(
    new Set(
      spans
        .filter(({ attributes }) => attributes["gen_ai.conversation.id"] === thread.id)
        .map(({ traceId }) => traceId),
    ),
  ).toEqual(new Set([turn?.traceId]));
  for (const name of ["model", "tool", "approval"])
    expect(new Set(named(name).map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([turn?.spanId]));
  expect(named("model")).toHaveLength(4);
  expect(named("model")[0]?.attributes).toMatchObject({
    "gen_ai.request.model": "claude-sonnet-5-5",
    "parley.attempt": 1,
    "parley.outcome": "answered",
    "gen_ai.usage.output_tokens": expect.any(Number),
  });
  const [bash, unknown] = named("tool");
  expect(bash?.attributes).toMatchObject({
    "parley.tool": "bash",
    "parley.permission": "restricted",
    "parley.outcome": "done",
  });
  expect(unknown?.attributes).toMatchObject({ "parley.tool": "unknown", "parley.outcome": "error" });
  const command = named("command").find(({ parentSpanId }) => parentSpanId === bash?.spanId);
  expect(command?.attributes).toMatchObject({
    "parley.profile": "restricted",
    "parley.outcome": "exited",
    "parley.start_ms": expect.any(Number),
  });
  expect(named("approval")).toHaveLength(1);

  expect(collected.requests[0]).toEqual({ path: "/v1/traces", key: KEY });
  expect([...collected.services]).toEqual(["parley-test"]);
  const log = rig.host().errors.join("\n");
  expect(log).toContain(`"trace_id":"${turn?.traceId}"`);
  expect(log).not.toContain(KEY);
  for (const word of [...SAID, KEY]) expect(collected.text().includes(word), word).toBe(false);
});

const isAgent = ({ body }: Exchange): boolean =>
  JSON.stringify(body ?? null).includes("You are a sub-agent of Parley");

it("a sub-agent is a turn within its parent's, in the same trace, beside its siblings", async () => {
  const collected = await collector();
  const rig = await createRig({ OTEL_EXPORTER_OTLP_ENDPOINT: collected.url });
  const thread = await rig.begin();
  const [spawns, answers] = [
    call("spawn_agents", { tasks: ["zqone", "zqtwo"].map((task) => ({ task })) }),
    say("Both."),
  ];
  rig.fake.scriptFor((request) => !isAgent(request), spawns, answers);
  for (const task of ["zqone", "zqtwo"])
    rig.fake.scriptFor(
      (request) => isAgent(request) && JSON.stringify(request.body).includes(task),
      call("bash", { command: "true" }),
      call("submit_result", { result: "Done." }),
    );
  await thread.turn("Ask two.");
  expect(await rig.host().stop("SIGTERM")).toBe(0);

  const { spans } = collected;
  const turns = spans.filter(({ name }) => name === "turn");
  const parent = turns.find(({ attributes }) => attributes["gen_ai.conversation.id"] === thread.id);
  const agents = turns.filter((span) => span !== parent);
  expect(parent?.parentSpanId ?? "").toBe("");
  expect(agents).toHaveLength(2);
  expect(new Set(agents.map(({ attributes }) => attributes["gen_ai.conversation.id"])).size).toBe(2);
  for (const { traceId, parentSpanId, spanId, attributes } of agents) {
    expect({ traceId, parentSpanId }).toEqual({ traceId: parent?.traceId, parentSpanId: parent?.spanId });
    expect(attributes).toMatchObject({ "parley.parent_conversation": thread.id, "parley.phase": "ended" });
    const within = spans.filter((span) => span.parentSpanId === spanId).map(({ name }) => name);
    expect(within).toEqual(expect.arrayContaining(["model", "tool"]));
  }
  expect(collected.text()).not.toContain("zqone");
});

const platform = (...outcomes: SendOutcome[]): Pick<Surface, "apply"> => ({
  apply: () => Promise.resolve(outcomes.shift() ?? { kind: "done", id: "1" }),
});

const observer = async (url: string, env: Readonly<Record<string, string>> = {}) => {
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: "always_on", ...env };
  const opened = await openTraces(traceSettings.parse(given), { clock: systemClock, version: "0.0.0-test" });
  if (opened === null) throw new Error("they are off");
  return opened;
};

describe("an observer", () => {
  const thread = { conversation: "c-1", surface: "slack", place: "C1", root: "1.2" } as const;
  const operation = { kind: "delete", thread, wire: "w", id: "1.3" } as const;
  it("says of deliveries what became of them, and how long the platform asked to wait", async () => {
    const collected = await collector();
    const traces = await observer(collected.url);
    const surface = traces.surface("slack", platform({ kind: "throttled", retryAfter: 5_000 }));
    await surface.apply(operation);
    await surface.apply(operation);
    await traces.close();
    expect(
      collected.spans.map(({ name, attributes }) => [
        name,
        attributes["parley.outcome"],
        attributes["parley.retry_after_ms"],
      ]),
    ).toEqual([
      ["delivery", "throttled", 5_000],
      ["delivery", "done", undefined],
    ]);
  });

  it("disturbs nothing where the collector refuses or is not there, and ends all the same", async () => {
    const refusing = await collector(400);
    for (const url of [refusing.url, "http://127.0.0.1:9"]) {
      const traces = await observer(url);
      expect(await traces.surface("slack", platform()).apply(operation)).toEqual({ kind: "done", id: "1" });
      await traces.close();
    }
    expect(refusing.requests).toHaveLength(1);
  });

  it("takes none, or a part, where the sampler says so", async () => {
    const collected = await collector();
    for (const [sampler, ratio] of [
      ["always_off", "1"],
      ["parentbased_traceidratio", "0"],
    ] as const) {
      const sampled = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio };
      const traces = await observer(collected.url, sampled);
      await traces.surface("slack", platform()).apply(operation);
      await traces.close();
    }
    expect(collected.spans).toEqual([]);
  });
});

it("loads nothing of it where no endpoint is set", async () => {
  const script = `
    import { registerHooks } from "node:module";
    registerHooks({ resolve: (name, context, next) => {
      const found = next(name, context);
      if (found.url.includes("@opentelemetry/sdk-trace/")) console.log("loaded");
      return found;
    } });
    const { readConfig } = await import("./src/app/settings/config.ts");
    const { readFeatures } = await import("./src/app/features/open.ts");
    const { readingWith } = await import("./src/app/outward.ts");
    const { systemClock } = await import("./src/app/system-clock.ts");
    const { config } = readConfig(process.env, "/nonexistent");
    const { observe } = await readFeatures(config.features, readingWith(config));
    const { observer } = await observe({ clock: systemClock, version: "0.0.0-test" });
    const respond = async () => {
      console.log("trace_id" in observer.logFields({}) ? "on" : "off");
      return { kind: "aborted" };
    };
    await observer.model({ respond }).respond({ conversation: "c-1", model: "m" });
    process.exit(0);`;
  const run = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const args = ["--input-type=module-typescript", "-e", script];
    const { stdout } = await execa(process.execPath, args, {
      cwd: root,
      extendEnv: false,
      env: { PATH: process.env["PATH"], ...env },
    });
    return [...new Set(stdout.split("\n"))];
  };
  expect(await run({})).toEqual(["off"]);
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
  expect(await run({ ...endpoint, OTEL_SDK_DISABLED: "true" })).toEqual(["off"]);
  expect(await run(endpoint)).toEqual(["loaded", "on"]);
});
