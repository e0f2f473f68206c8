/** Every provider's own SDK against a server that is not ours: one attempt, as with Anthropic's wire. */

import { LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, test } from "vitest";
import {
  answered,
  ask,
  assistant,
  request,
  routed,
  serve,
  text,
  toolResult,
  user,
} from "../../model/harness.ts";
import { CANARY, configure, FAMILIES, type Family } from "./families.ts";

const mocked = async (family: Family) => {
  const mock = new LLMock({ port: 0, logLevel: "silent" });
  const url = await mock.start();
  onTestFinished(() => mock.stop());
  const configured = await configure(family, url);
  return { mock, ...routed(configured), name: configured.alias, facts: configured.facts };
};

const each = test.for(FAMILIES.map((one) => [one.family, one] as const));

each("%s: text streams, and every token is counted and priced", async ([, family]) => {
  const { mock, model, name, facts } = await mocked(family);
  const counted = { prompt_tokens: 1_234, input_tokens: 1_234, promptTokenCount: 1_234 };
  const written = { completion_tokens: 56, output_tokens: 56, candidatesTokenCount: 56 };
  const usage = { ...counted, ...written, total_tokens: 1_290, totalTokenCount: 1_290 };
  mock.on({}, { content: "one two three four five six seven eight", usage }, { chunkSize: 4 });
  const asked = ask(model, request(undefined, { model: name }));
  const outcome = await answered(asked);
  expect(outcome.stop).toBe("end");
  expect(outcome.blocks.filter(({ kind }) => kind !== "opaque")).toEqual([
    { kind: "text", text: "one two three four five six seven eight" },
  ]);
  expect(asked.text()).toBe("one two three four five six seven eight");
  expect(asked.deltas.length).toBeGreaterThan(3);
  // This server counts nothing as Mistral, unlike Mistral itself (odd.test.ts).
  if (family.family === "mistral") {
    expect(outcome.estimated).toBe(true);
    return;
  }
  const { input, output } = facts.prices;
  expect(outcome.usage).toEqual({
    input: 1_234,
    output: 56,
    cacheRead: 0,
    cacheWrite: 0,
    costMicroUsd: Math.round(1_234 * input + 56 * output),
  });
});

each("%s: two tools in one answer, and the next request has the result of each", async ([, family]) => {
  const { mock, model, name } = await mocked(family);
  const toolCalls = [
    { name: "bash", arguments: '{"command":"ls"}', id: "call_one11" },
    { name: "bash", arguments: '{"command":"pwd"}', id: "call_two22" },
  ];
  mock.on({ toolResultContains: "result of pwd" }, { content: "done" });
  // Gemini ends with "STOP" whatever it says.
  mock.on({}, { toolCalls, ...(name.startsWith("gemini") ? { finishReason: "stop" } : {}) });
  const first = request(undefined, { model: name });
  const outcome = await answered(ask(model, first));
  expect(outcome.stop).toBe("tools");
  const uses = outcome.blocks.flatMap((block) => (block.kind === "toolUse" ? [block] : []));
  expect(uses).toMatchObject([
    { name: "bash", input: { command: "ls" } },
    { name: "bash", input: { command: "pwd" } },
  ]);
  expect(new Set(uses.map(({ id }) => id)).size).toBe(2);
  const results = uses.map(({ id }, index) => toolResult(id, `result of pwd ${index}`));
  const next = request([...first.messages, assistant(...outcome.blocks), user(...results)], { model: name });
  const sent = await ask(model, next).outcome;
  expect(sent).toMatchObject({ kind: "answered" });
  const body = JSON.stringify(mock.getLastRequest()?.body);
  expect(body.includes("result of pwd 0") && body.includes("result of pwd 1")).toBe(true);
});

each(
  "%s: a refused key, a rate limit and a provider that is out of order are told apart",
  async ([, family]) => {
    const { mock, model, name, log } = await mocked(family);
    const told = async (status: number, message: string) => {
      mock.nextRequestError(status, { message, type: "error" });
      return ask(model, request(undefined, { model: name })).outcome;
    };
    expect(await told(401, `bad key ${CANARY}`)).toMatchObject({ kind: "failed", failure: { kind: "auth" } });
    expect(await told(429, "slow down")).toMatchObject({ failure: { kind: "rate_limit" } });
    expect(await told(500, "oops")).toMatchObject({ failure: { kind: "overloaded" } });
    expect(await told(400, `no ${CANARY}`)).toMatchObject({ failure: { kind: "invalid_request" } });
    expect(await told(404, "no such model")).toMatchObject({ failure: { kind: "not_found" } });
    expect(JSON.stringify(log)).not.toContain(CANARY);
  },
);

each("%s: Stop ends a stream of minutes and counts what came", async ([, family]) => {
  const { mock, model, name } = await mocked(family);
  mock.on({}, { content: "word ".repeat(2_000) }, { chunkSize: 5, streamingProfile: { ttft: 0, tps: 20 } });
  const begun = Promise.withResolvers<void>();
  const asked = ask(model, request(undefined, { model: name }), () => begun.resolve());
  await begun.promise;
  asked.abort.abort();
  const outcome = await asked.outcome;
  expect(outcome.kind).toBe("aborted");
  // Estimated from what was asked; this server begins as Anthropic with a count of none.
  const input = outcome.kind === "aborted" ? outcome.usage?.input : undefined;
  if (family.family === "anthropic") expect(input).toBe(0);
  else expect(input).toBeGreaterThan(1_000);
});

each(
  "%s: a stream that is cut is a failure of the network, and its text is no answer",
  async ([, family]) => {
    const { mock, model, name } = await mocked(family);
    mock.on({}, { content: "one two three four five six" }, { chunkSize: 4, truncateAfterChunks: 3 });
    expect(await ask(model, request(undefined, { model: name })).outcome).toMatchObject({
      kind: "failed",
      failure: { kind: "network" },
    });
  },
);

each("%s: an address where nobody answers is named", async ([, family]) => {
  const configured = await configure(family, "http://127.0.0.1:9");
  const { model } = routed(configured);
  expect(await ask(model, request(undefined, { model: configured.alias })).outcome).toMatchObject({
    kind: "failed",
    failure: { kind: "network", message: expect.stringMatching(/could not be reached.*_BASE_URL/) },
  });
});

each("%s: an address that redirects is named, and why", async ([, family]) => {
  const url = await serve((_, response) => {
    response.writeHead(302, { location: "http://127.0.0.1:9" });
    response.end();
  });
  const configured = await configure(family, url);
  const { model } = routed(configured);
  expect(await ask(model, request(undefined, { model: configured.alias })).outcome).toMatchObject({
    kind: "failed",
    failure: {
      kind: "network",
      message: expect.stringMatching(
        /could not be reached \(REDIRECTED\)\. The operator has to check .*_BASE_URL/,
      ),
    },
  });
});

each("%s: a wait that the provider names is kept", async ([, family]) => {
  const url = await serve((_, response) => {
    response.writeHead(429, { "content-type": "application/json", "retry-after": "7" });
    response.end('{"error":{"message":"slow down"},"message":"slow down"}');
  });
  const configured = await configure(family, url);
  const { model } = routed(configured);
  expect(await ask(model, request(undefined, { model: configured.alias })).outcome).toMatchObject({
    failure: { kind: "rate_limit", retryAfter: 7_000 },
  });
});

each(
  "%s: a server that says nothing is given up, and one that is no provider is named",
  async ([, family]) => {
    const silent = await serve((_, response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
    );
    const still = routed(await configure(family, silent, { local: false }), { idleLimit: 1_500 });
    const asked = ask(
      still.model,
      request(undefined, { model: family.model.slice(family.model.indexOf("/") + 1) }),
    );
    await still.clock.whenArmed(3);
    still.clock.advance(1_500);
    expect(await asked.outcome).toMatchObject({
      failure: { kind: "network", message: expect.stringContaining("sent nothing") },
    });

    const page = await serve((_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>hello</h1>"),
    );
    const configured = await configure(family, page);
    const other = routed(configured);
    expect(
      await ask(other.model, request([user(text("hi"))], { model: configured.alias })).outcome,
    ).toMatchObject({
      kind: "failed",
      failure: { kind: "network" },
    });
  },
);
