/** One attempt on the wire: the real SDK against the fake (hazard M1). */

import { expect, test } from "vitest";
import { signatureOf } from "../fakes/anthropic/signature.ts";
import {
  call,
  cutToolCall,
  nothing,
  paused,
  refusal,
  say,
  type Turn,
  windowExceeded,
} from "../fakes/anthropic/turn.ts";
import {
  answered,
  ask,
  assistant,
  harness,
  KEY,
  MODEL,
  request,
  serve,
  text,
  toolResult,
  user,
} from "./harness.ts";

const UMLAUTS = "Grüße, 世界, 👩‍👩‍👧‍👦 — ¿qué?";

test("text reaches the listener as it streams and the outcome whole", async () => {
  const { fake, model } = await harness();
  const gate = fake.gate();
  fake.script(say(["one ", gate, "two"]));
  const first = Promise.withResolvers<void>();
  const asked = ask(model, request(), () => first.resolve());

  await first.promise;
  expect(asked.text()).toBe("one ");
  gate.open();

  expect(await answered(asked)).toMatchObject({ stop: "end", blocks: [{ kind: "text", text: "one two" }] });
  expect(asked.deltas).toEqual(["one ", "two"]);
  expect(fake.violations).toEqual([]);
});

test.for(["bytes", "merged", "splitUtf8"] as const)("text survives %s framing", async (framing) => {
  const { fake, model } = await harness();
  fake.script({ content: [{ kind: "text", text: UMLAUTS, chunk: 3 }] });
  fake.fault({ kind: "framing", framing });
  const asked = ask(model, request());
  expect(await answered(asked)).toMatchObject({ blocks: [{ kind: "text", text: UMLAUTS }] });
  expect(asked.text()).toBe(UMLAUTS);
});

test.for([{ kind: "unknownEvent" }, { kind: "pings" }] as const)("%o changes nothing", async (fault) => {
  const { fake, model } = await harness();
  fake.script(say("fine"));
  fake.fault(fault);
  expect(await answered(ask(model, request()))).toMatchObject({ blocks: [{ kind: "text", text: "fine" }] });
});

const tool = { kind: "tool", name: "bash", input: { command: "ls" }, id: "tu_1" } as const;

test.for<readonly [string, Turn, object]>([
  [
    "tool_use",
    call("bash", { command: "ls" }, "tu_1"),
    { stop: "tools", blocks: [{ kind: "toolUse", id: "tu_1", name: "bash", input: { command: "ls" } }] },
  ],
  ["end_turn", say("done"), { stop: "end", blocks: [{ kind: "text", text: "done" }] }],
  ["stop_sequence", { ...say("done"), stop: "stop_sequence", stopSequence: "x" }, { stop: "end" }],
  [
    "end_turn with a tool",
    { content: [{ kind: "text", text: "a" }, tool], stop: "end_turn" },
    {
      stop: "tools",
      blocks: [
        { kind: "text", text: "a" },
        { kind: "toolUse", id: "tu_1" },
      ],
    },
  ],
  [
    "max_tokens",
    { ...say("half"), stop: "max_tokens" },
    { stop: "max_tokens", blocks: [{ kind: "text", text: "half" }] },
  ],
  ["max_tokens in a tool call", cutToolCall("bash", '{"comma'), { stop: "max_tokens", blocks: [] }],
  ["pause_turn", paused("wait"), { stop: "pause", blocks: [{ kind: "text", text: "wait" }] }],
  ["refusal", refusal("no"), { stop: "refusal", blocks: [{ kind: "text", text: "no" }] }],
  ["refusal without words", refusal(""), { stop: "refusal", blocks: [] }],
  [
    "model_context_window_exceeded",
    windowExceeded("so f"),
    { stop: "window", blocks: [{ kind: "text", text: "so f" }] },
  ],
  ["nothing with end_turn", nothing, { stop: "end", blocks: [] }],
])("stop reason: %s", async ([, turn, expected]) => {
  const { fake, model } = await harness();
  fake.script(turn);
  expect(await answered(ask(model, request()))).toMatchObject(expected);
});

test.for(["tool_use", "max_tokens", "pause_turn"] as const)(
  "nothing at all with %s is the server's failure and may be tried again",
  async (stop) => {
    const { fake, model } = await harness();
    fake.script({ content: [], stop });
    expect(await ask(model, request()).outcome).toMatchObject({
      kind: "failed",
      failure: { kind: "overloaded" },
    });
  },
);

test.for<readonly [string, unknown]>([
  ["{not json", { unreadable_input: "{not json" }],
  ['["a"]', { unreadable_input: '["a"]' }],
  ["", {}],
])("tool input %j becomes %o and the next request is valid", async ([json, input]) => {
  const { fake, model } = await harness();
  fake.script({ content: [{ ...tool, json }], stop: "tool_use" }, say("ok"));
  const first = request();
  const outcome = await answered(ask(model, first));
  expect(outcome).toMatchObject({ stop: "tools", blocks: [{ kind: "toolUse", input }] });

  const next = request([
    ...first.messages,
    assistant(...outcome.blocks),
    user(toolResult("tu_1", "Invalid input", true)),
  ]);
  expect(await answered(ask(model, next))).toMatchObject({ stop: "end" });
  expect(fake.violations).toEqual([]);
});

test("thinking goes back unchanged, signature and all", async () => {
  const { fake, model } = await harness();
  fake.script(
    { content: [{ kind: "thinking", thinking: "hm, ü", chunk: 1 }, { kind: "redacted", data: "xyz" }, tool] },
    say("ok"),
  );
  const first = request();
  const outcome = await answered(ask(model, first));
  expect(outcome.blocks.map((block) => block.kind)).toEqual(["opaque", "opaque", "toolUse"]);

  // The fake refuses a thought whose signature does not match its words.
  const next = request([...first.messages, assistant(...outcome.blocks), user(toolResult("tu_1", "x"))]);
  await answered(ask(model, next));
  const sent = fake.requests[1]?.body;
  expect(sent).toMatchObject({
    messages: [
      {},
      {
        content: [
          { type: "thinking", thinking: "hm, ü", signature: signatureOf("hm, ü") },
          { type: "redacted_thinking", data: "xyz" },
          expect.anything(),
        ],
      },
      {},
    ],
  });
  expect(fake.violations).toEqual([]);
});

test("usage holds cache reads and writes, and the price of each", async () => {
  const { fake, model } = await harness();
  fake.script({
    ...say("x"),
    usage: {
      input_tokens: 1000,
      output_tokens: 100,
      cache_read_input_tokens: 10_000,
      cache_creation_input_tokens: 4000,
    },
  });
  const { usage } = await answered(ask(model, request()));
  // Sonnet 5.5 at $2 and $10: 1000 + 10,000 × 0.1 + 4000 × 1.25 tokens in, 100 out.
  expect(usage).toEqual({
    input: 1000,
    output: 100,
    cacheRead: 10_000,
    cacheWrite: 4000,
    costMicroUsd: 7000 * 2 + 100 * 10,
  });
});

const counting = (usage: string) =>
  serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: {"type":"message_start","message":{"usage":${usage}}}\n\n`);
    response.write(
      'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"x"}}\n\n',
    );
    response.write(`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":${usage}}\n\n`);
    response.end('data: {"type":"message_stop"}\n\n');
  }).then((baseURL) => harness({ baseURL }));

test.for(['{"input_tokens":"many"}', "{}", "null"])(
  "a count of %s is none: the usage is estimated from what was sent and written, and marked so",
  async (usage) => {
    const { model } = await counting(usage);
    const outcome = await answered(ask(model, request()));
    expect(outcome).toMatchObject({ estimated: true, blocks: [{ kind: "text", text: "x" }] });
    // The prefix of 7,200 characters is nearly all that is asked.
    expect(outcome.usage.input).toBeGreaterThan(1_500);
    expect(outcome.usage.input).toBeLessThan(2_500);
    expect(outcome.usage.costMicroUsd).toBe(outcome.usage.input * 2 + outcome.usage.output * 10);
  },
);

test.each([
  ["1e308", 2_000_000],
  ["1e999", 2_000_000],
  ["-5", 0],
  ["12.4", 12],
])("a count of %s tokens is taken as %d, and everything made of it can be stored", async (count, tokens) => {
  const counts = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"];
  const { model } = await counting(`{${counts.map((name) => `"${name}":${count}`).join()}}`);
  const outcome = await answered(ask(model, request()));
  expect(outcome.usage).toMatchObject({
    input: tokens,
    output: tokens,
    cacheRead: tokens,
    cacheWrite: tokens,
  });
  expect(Number.isSafeInteger(outcome.usage.costMicroUsd)).toBe(true);
  expect(JSON.parse(JSON.stringify(outcome.usage))).toEqual(outcome.usage);
});

test("an abort before the first byte and one in the middle are seen by the server at once", async () => {
  const { fake, model } = await harness();
  const held = fake.gate();
  fake.script({ ...say("never"), hold: held }, say(["one ", fake.gate(), "two"]));

  const waiting = ask(model, request());
  const early = await fake.nextRequest();
  const asked = performance.timeOrigin + performance.now();
  waiting.abort.abort();
  expect(await waiting.outcome).toEqual({ kind: "aborted" });
  const seen = (await early.aborted) - asked;

  const first = Promise.withResolvers<void>();
  const streaming = ask(model, request(), () => first.resolve());
  await first.promise;
  const late = await fake.nextRequest();
  streaming.abort.abort();
  /* What the provider had counted by then is paid for. */
  expect(await streaming.outcome).toMatchObject({
    kind: "aborted",
    usage: { costMicroUsd: expect.any(Number) },
  });
  await late.aborted;
  expect(seen).toBeLessThan(1000);
});

test("what is aborted before it began is never sent", async () => {
  const { fake, model } = await harness();
  const abort = new AbortController();
  abort.abort();
  expect(await model.respond(request(), { signal: abort.signal, onText: () => {} })).toEqual({
    kind: "aborted",
  });
  expect(fake.requests).toEqual([]);
});

test("no timer and no listener outlives the answer", async () => {
  const { fake, model, clock } = await harness();
  fake.script(say("x"));
  await answered(ask(model, request()));
  expect(clock.armed()).toBe(0);
});

test("the log has figures and kinds, and neither words nor the key", async () => {
  const { fake, model, log } = await harness();
  fake.script(say("secret answer"));
  await answered(ask(model, request([user(text("secret question"))])));
  fake.fault({ kind: "status", status: 400, message: `bad: secret question with ${KEY}` });
  await ask(model, request([user(text("secret question"))])).outcome;

  expect(log.map(({ message }) => message)).toEqual([
    "model: call answered",
    "model: request interrupted",
    "model: call failed",
  ]);
  expect(log[0]?.fields).toMatchObject({
    model: MODEL,
    stop: "end",
    output: expect.any(Number),
    duration: 0,
  });
  expect(log[1]?.fields).toMatchObject({ status: 400, request: "req_fake_2" });
  expect(log[2]?.fields).toMatchObject({ model: MODEL, kind: "invalid_request" });
  expect(JSON.stringify(log)).not.toMatch(/secret|sk-ant/);
});

/** Timers of one request. */
const WAITS = 3;

test("what follows a complete answer neither spoils nor delays it", async () => {
  const events = [
    { type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "whole" } },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ];
  // Without `event:` lines, as some servers send them, and the connection is left open.
  const baseURL = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
  });
  const { model, clock } = await harness({ baseURL });
  const asked = ask(model, request());
  await clock.whenArmed(WAITS * (1 + events.length));
  clock.advance(1000);
  expect(await answered(asked)).toMatchObject({ stop: "end", blocks: [{ kind: "text", text: "whole" }] });
  expect(asked.text()).toBe("whole");
});

test.for(["data: {\n\n", 'data: {"type":"content_block_start"}\n\n'])(
  "an event that cannot be read (%j) is a network failure",
  async (event) => {
    const baseURL = await serve((_, response) => void response.writeHead(200).end(event));
    const { model } = await harness({ baseURL });
    expect(await ask(model, request()).outcome).toMatchObject({
      failure: { kind: "network", message: expect.stringContaining("could not be read") },
    });
  },
);
