/** Streams that misbehave, as each family of providers writes them. */

import { expect, test } from "vitest";
import type { ModelOutcome } from "../../../src/ports/model.ts";
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
import { configure } from "./families.ts";
import { families, spoken } from "./spoken.ts";
import { gemini, responses } from "../../fakes/providers/wires.ts";

const each = test.for(families.map((one) => [one.named, one] as const));

const usage = { input: 1_000, output: 10, cached: 400 };
const words = (outcome: ModelOutcome) =>
  outcome.kind === "answered" ? outcome.blocks.filter(({ kind }) => kind !== "opaque") : outcome;

each("%s: usage is counted to the token, and what the cache had is told apart", async ([, one]) => {
  const { asked } = await spoken(one, { text: "hi", end: "stop", usage });
  const outcome = await answered(asked());
  expect(outcome).toMatchObject({ stop: "end", usage: { input: 600, cacheRead: 400, output: 10 } });
  expect(outcome.estimated).toBeUndefined();
});

each("%s: usage that is missing is estimated and marked so", async ([, one]) => {
  const { asked } = await spoken(one, { text: "hi", end: "stop" });
  const outcome = await answered(asked());
  expect(outcome).toMatchObject({
    estimated: true,
    blocks: expect.arrayContaining([{ kind: "text", text: "hi" }]),
  });
  expect(outcome.usage.input).toBeGreaterThan(1_000);
});

each("%s: a tool whose input was cut is not run", async ([, one]) => {
  const json = one.format === gemini ? "{}" : '{"comma';
  const { asked } = await spoken(one, {
    text: "a",
    calls: [{ id: "t1", name: "bash", json }],
    end: "length",
    usage,
  });
  const outcome = await answered(asked());
  expect(outcome.stop).toBe("max_tokens");
  expect(words(outcome)).toEqual([{ kind: "text", text: "a" }]);
});

each("%s: a tool whose input is no object is told so, and the next request is valid", async ([, one]) => {
  if (one.format === gemini) return;
  const call = { id: "call_abc1", name: "bash", json: "{not json" };
  const { asked, model, name, bodies } = await spoken(
    one,
    { calls: [call], end: "tools", usage },
    { text: "ok", end: "stop", usage },
  );
  const outcome = await answered(asked());
  expect(outcome).toMatchObject({ stop: "tools" });
  expect(words(outcome)).toMatchObject([
    { kind: "toolUse", name: "bash", input: { unreadable_input: "{not json" } },
  ]);
  const [use] = outcome.blocks.flatMap((block) => (block.kind === "toolUse" ? [block] : []));
  const next = [user(text("go")), assistant(...outcome.blocks), user(toolResult(use?.id ?? "", "no", true))];
  expect((await answered(ask(model, request(next, { model: name })))).stop).toBe("end");
  expect(bodies[1]).toContain("unreadable_input");
});

each("%s: two tools in one delta are two", async ([, one]) => {
  const calls = ["one", "two"].map((word) => ({
    id: `call_${word}`,
    name: "bash",
    json: `{"command":"${word}"}`,
  }));
  const { asked } = await spoken(one, { calls, end: "tools", usage });
  const outcome = await answered(asked());
  expect(outcome.stop).toBe("tools");
  expect(words(outcome)).toMatchObject([{ input: { command: "one" } }, { input: { command: "two" } }]);
});

each("%s: an empty answer that ends is one, and a refusal is told", async ([, one]) => {
  const { asked } = await spoken(one, { end: "stop", usage }, { text: "I", end: "filter", usage });
  expect(await answered(asked())).toMatchObject({ stop: "end" });
  // Mistral has no word for it.
  expect((await answered(asked())).stop).toBe(one.named === "mistral" ? "end" : "refusal");
});

each("%s: a stream that ends without an end is a failure, whatever it said before", async ([, one]) => {
  const call = { id: "t1", name: "bash", json: '{"command":"rm"}' };
  const { asked } = await spoken(
    one,
    { text: "half", end: null },
    { calls: [call], end: null },
    Buffer.alloc(0),
  );
  for (const _ of [1, 2, 3]) {
    expect(await asked().outcome).toMatchObject({ kind: "failed", failure: { kind: "network" } });
  }
});

each("%s: a thought goes back to the model that had it, and to no other", async ([, one]) => {
  const call = { id: "call_abc1", name: "bash", json: '{"command":"ls"}' };
  const first = await spoken(
    one,
    { thinking: "let me look around", calls: [call], end: "tools", usage },
    { text: "ok", end: "stop", usage },
  );
  const outcome = await answered(first.asked());
  const [use] = outcome.blocks.flatMap((block) => (block.kind === "toolUse" ? [block] : []));
  const next = [user(text("go")), assistant(...outcome.blocks), user(toolResult(use?.id ?? "", "ok"))];
  await answered(ask(first.model, request(next, { model: first.name })));
  const signs: Readonly<Record<string, string>> = { gemini: "signed", vertex: "signed", bedrock: "signed" };
  const sign = signs[one.named] ?? (one.format === responses ? "sealed" : "let me look around");
  if (one.named !== "mistral") expect(first.bodies[1]).toContain(sign);

  for (const other of families.filter(({ format }) => format !== one.format)) {
    const second = await spoken(other, { text: "ok", end: "stop", usage });
    await answered(ask(second.model, request(next, { model: second.name })));
    expect(second.bodies[0]).not.toContain(sign);
    expect(second.bodies[0]).toContain("ls");
  }
});

each("%s: a conversation that is too long is told in each provider's own words", async ([, one]) => {
  const TOO_LONG: Readonly<Record<string, readonly [number, object]>> = {
    "openai responses": [
      400,
      {
        error: {
          message: "Your input exceeds the context window of this model.",
          type: "invalid_request_error",
          code: "context_length_exceeded",
        },
      },
    ],
    azure: [
      400,
      {
        error: {
          message: "This model's maximum context length is 8192 tokens.",
          code: "context_length_exceeded",
        },
      },
    ],
    "openai chat completions": [
      400,
      {
        error: {
          code: 400,
          message: "the request exceeds the available context size, try increasing it",
          type: "exceed_context_size_error",
        },
      },
    ],
    gemini: [
      400,
      {
        error: {
          code: 400,
          message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
    vertex: [
      400,
      {
        error: {
          code: 400,
          message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
    bedrock: [400, { message: "Input is too long for requested model." }],
    mistral: [
      400,
      {
        object: "error",
        message: "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        type: "invalid_request_error",
      },
    ],
  };
  const [status, body] = TOO_LONG[one.named] ?? [500, {}];
  const url = await serve((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const configured = await configure(one.family, url);
  const { model } = routed(configured);
  expect(await ask(model, request(undefined, { model: configured.alias })).outcome).toMatchObject({
    kind: "failed",
    failure: { kind: "context" },
  });
});

test.for<readonly [string, number, object, string, number | null]>([
  [
    "openai responses",
    429,
    {
      error: {
        message: "You exceeded your current quota",
        code: "insufficient_quota",
        type: "insufficient_quota",
      },
    },
    "billing",
    null,
  ],
  [
    "openai responses",
    429,
    { error: { message: "Rate limit reached. Please try again in 1m2.5s." } },
    "rate_limit",
    62_500,
  ],
  [
    "gemini",
    429,
    {
      error: { code: 429, message: "Quota", status: "RESOURCE_EXHAUSTED", details: [{ retryDelay: "36s" }] },
    },
    "rate_limit",
    36_000,
  ],
  [
    "gemini",
    400,
    {
      error: {
        code: 400,
        message: "API key not valid. Please pass a valid API key.",
        status: "INVALID_ARGUMENT",
      },
    },
    "auth",
    null,
  ],
  ["bedrock", 403, { message: "The security token included in the request is invalid." }, "auth", null],
  ["bedrock", 429, { message: "Too many requests, please wait before trying again." }, "rate_limit", null],
  ["openai chat completions", 404, { error: "model 'nope' not found" }, "not_found", null],
  ["mistral", 422, { detail: [{ msg: "Input should be a valid string" }] }, "invalid_request", null],
])("%s, status %d: %o is %s", async ([named, status, body, kind, retryAfter]) => {
  const found = families.find((one) => one.named === named);
  if (found === undefined) throw new Error(named);
  const url = await serve((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const configured = await configure(found.family, url);
  const { model } = routed(configured);
  const outcome = await ask(model, request(undefined, { model: configured.alias })).outcome;
  expect(outcome).toMatchObject({ kind: "failed", failure: { kind, retryAfter } });
});

test("a question that Azure's filter holds back is a refusal, and no failure", async () => {
  const found = families.find(({ named }) => named === "azure");
  if (found === undefined) throw new Error("azure");
  const url = await serve((_, response) => {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(
      '{"error":{"message":"filtered","code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"}}}',
    );
  });
  const configured = await configure(found.family, url);
  const { model } = routed(configured);
  expect(await answered(ask(model, request(undefined, { model: configured.alias })))).toMatchObject({
    stop: "refusal",
    blocks: [],
  });
});

each(
  "%s: a stream that goes silent and never ends is given up, and what it said is no answer",
  async ([, one]) => {
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-type": one.format.type });
      response.write(one.format.write({ text: "half", end: null }));
    });
    const configured = await configure(one.family, url);
    const { model, clock } = routed(configured);
    const heard = Promise.withResolvers<void>();
    const asked = ask(model, request(undefined, { model: configured.alias }), () => heard.resolve());
    await heard.promise;
    clock.advance(299_000);
    clock.advance(1_000);
    expect(await asked.outcome).toMatchObject({
      kind: "failed",
      failure: { kind: "network", message: expect.stringContaining("300 s") },
      usage: { output: expect.any(Number) },
    });
    expect(clock.armed()).toBe(0);
  },
);
