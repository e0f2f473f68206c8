/** What providers and gateways really send (world.md, WM1 to WM7), on the wire; what follows is judged by the fake's rules. */

import fc from "fast-check";
import { expect, it, test } from "vitest";
import { unreadableInputText } from "../../src/text/unreadable-input.ts";
import type { ModelOutcome } from "../../src/ports/model.ts";
import type { PromptBlock, PromptMessage } from "../../src/thread/prompt.ts";
import { signatureOf } from "../fakes/anthropic/signature.ts";
import { say } from "../fakes/anthropic/turn.ts";
import { testSeed } from "../seed.ts";
import { answered, ask, assistant, harness, request, serve, text, toolResult, user } from "./harness.ts";

const HALF = "\ud83d";

const start = (id: string | null = "msg_1") => ({
  type: "message_start",
  message: { ...(id === null ? {} : { id }), usage: { input_tokens: 1, output_tokens: 1 } },
});
const block = (index: number, content_block: object) => ({
  type: "content_block_start",
  index,
  content_block,
});
const delta = (index: number, one: object) => ({ type: "content_block_delta", index, delta: one });
const words = (index: number, more: string) => delta(index, { type: "text_delta", text: more });
const tool = (index: number, json: unknown, over: object = {}) => [
  block(index, { type: "tool_use", id: `tu_${index}`, name: "bash", input: {}, ...over }),
  delta(index, { type: "input_json_delta", partial_json: json }),
  { type: "content_block_stop", index },
];
const end = (stop_reason?: string | null) => [
  {
    type: "message_delta",
    delta: stop_reason === undefined ? {} : { stop_reason },
    usage: { output_tokens: 2 },
  },
  { type: "message_stop" },
];

const bytesOf = (events: readonly (object | string)[]): string =>
  events.map((one) => (typeof one === "string" ? one : `data: ${JSON.stringify(one)}\n\n`)).join("");

/** One answer, as a gateway writes it. */
const said = async (...events: readonly (object | string)[]): Promise<ModelOutcome> => {
  const baseURL = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(bytesOf(events));
  });
  const { model } = await harness({ baseURL });
  return ask(model, request()).outcome;
};

/** What the fake finds wrong with the request that follows these answers. */
const next = async (answers: readonly (readonly PromptBlock[])[]): Promise<readonly unknown[]> => {
  const { fake, model } = await harness();
  fake.script(say("ok"));
  const messages: PromptMessage[] = [user(text("go"))];
  for (const blocks of answers) {
    if (blocks.length === 0) continue;
    const results = blocks.flatMap((one) => (one.kind === "toolUse" ? [toolResult(one.id, "no", true)] : []));
    messages.push(assistant(...blocks), user(...(results.length > 0 ? results : [text("go on")])));
  }
  const outcome = await ask(model, request(messages)).outcome;
  return outcome.kind === "answered" ? fake.violations : [outcome];
};

const blocksOf = (outcome: ModelOutcome): readonly PromptBlock[] =>
  outcome.kind === "answered" ? outcome.blocks : [];

it.each([
  ["a value", tool(0, `{"command":"echo \\ud83d"}`)],
  ["a key", tool(0, `{"\\ud83d":"x"}`)],
  ["a nested key", tool(0, `{"a":[{"\\udc00":1}]}`)],
  [
    "the input of the block's start",
    [block(0, { type: "tool_use", id: "t", name: "bash", input: { a: HALF } })],
  ],
  ["a name", tool(0, "{}", { name: `ba${HALF}sh` })],
  ["an id", tool(0, "{}", { id: HALF })],
  [
    "a thought",
    [
      block(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: `hm ${HALF}` }),
      delta(0, { type: "signature_delta", signature: "s" }),
      ...tool(1, "{}"),
    ],
  ],
  ["text", [block(0, { type: "text", text: "" }), words(0, `a ${HALF}`)]],
])("WM1 half a surrogate pair in %s leaves the next request valid", async (_, events) => {
  const outcome = await said(start(), ...events, ...end("tool_use"));
  expect(outcome.kind).toBe("answered");
  expect(await next([blocksOf(outcome)])).toEqual([]);
});

it("WM1 a history that holds half a pair already is told in valid JSON", async () => {
  const stored = {
    kind: "toolUse",
    id: "t\ud800",
    name: "b\ud800",
    input: { [HALF]: `x${HALF}`, c: "\\ud83d" },
  } as const;
  const thought = { kind: "opaque", raw: { type: "thinking", thinking: HALF, signature: "s" } } as const;
  expect(await next([[thought, stored, { ...stored, id: "t\ud801" }]])).toEqual([]);
});

it("WM1 the tool says what was wrong, and runs whole characters", async () => {
  const outcome = await said(
    start(),
    ...tool(0, `{"command":"echo \\ud83d"}`),
    ...tool(1, `{"command":"echo 😀"}`),
    ...end("tool_use"),
  );
  const inputs = blocksOf(outcome).map((one) => (one.kind === "toolUse" ? one.input : null));
  expect(unreadableInputText(inputs[0])).toContain("half of a surrogate pair");
  expect(unreadableInputText(inputs[1])).toBeNull();
  expect(inputs[1]).toEqual({ command: "echo 😀" });
});

it.each([
  ["[DONE] at the end", ["data: [DONE]\n\n"]],
  ["[DONE] without a blank", ["data:[DONE]\n\n"]],
  ["an event without data", ["event: ping\ndata:\n\n"]],
  ["a comment", [": keep-alive\n\n"]],
  ["words after the end", [words(0, " more"), "data: {\n\n", { type: "error", error: {} }]],
])("WM2 a complete answer with %s is complete", async (_, after) => {
  const whole = await said(
    ": hello\n\n",
    "event: ping\ndata:\n\n",
    start(),
    block(0, { type: "text", text: "whole" }),
    ...end("end_turn"),
    ...after,
  );
  expect(whole).toMatchObject({ kind: "answered", stop: "end", blocks: [{ kind: "text", text: "whole" }] });
});

it("WM2 [DONE] does not complete an answer that was cut", async () => {
  const cut = await said(start(), block(0, { type: "text", text: "ha" }), "data: [DONE]\n\n");
  expect(cut).toMatchObject({ kind: "failed", failure: { kind: "network" } });
});

it.each(["end_turn", "stop_sequence", "pause_turn", "", "tool_calls", null, undefined])(
  "WM3 a complete call runs when the reason is %j",
  async (reason) => {
    expect(await said(start(), ...tool(0, '{"command":"ls"}'), ...end(reason))).toMatchObject({
      stop: "tools",
      blocks: [{ kind: "toolUse", input: { command: "ls" } }],
    });
  },
);

it.each(["max_tokens", "refusal", "model_context_window_exceeded"])(
  "WM3 no call of a response that ended by %s runs",
  async (reason) => {
    const outcome = await said(start(), ...tool(0, '{"command":"ls"}'), ...end(reason));
    expect(outcome).toMatchObject({ kind: "answered", blocks: [] });
    expect(outcome).not.toMatchObject({ stop: "tools" });
  },
);

it.each([
  ["another id", [start("msg_2"), words(0, "B")]],
  ["a block that begins again", [block(0, { type: "text", text: "B" })]],
  ["another start without ids", [start(null)]],
])("WM6 a second answer in the stream (%s) is a cut stream", async (_, events) => {
  const first = start(
    events[0] !== undefined && "message" in events[0] && !("id" in (events[0].message as object))
      ? null
      : "msg_1",
  );
  const outcome = await said(first, block(0, { type: "text", text: "A" }), ...events, ...end("end_turn"));
  expect(outcome).toMatchObject({
    kind: "failed",
    failure: { kind: "network", message: expect.stringContaining("broke") },
  });
});

it("WM6 a start that is sent twice is one answer", async () => {
  const outcome = await said(start(), start(), block(0, { type: "text", text: "A" }), ...end("end_turn"));
  expect(outcome).toMatchObject({ kind: "answered", blocks: [{ text: "A" }] });
});

it.each([
  ["an object in place of its JSON", tool(0, { command: "ls" })],
  ["JSON within JSON", tool(0, JSON.stringify('{"command":"ls"}'))],
  [
    "JSON in the block's start",
    [block(0, { type: "tool_use", id: "t", name: "bash", input: '{"command":"ls"}' })],
  ],
])("WM7 a tool's input is read from %s", async (_, events) => {
  expect(await said(start(), ...events, ...end(""))).toMatchObject({
    stop: "tools",
    blocks: [{ kind: "toolUse", input: { command: "ls" } }],
  });
});

it.each([
  ["{not json", "not valid JSON"],
  ['{"command":"l', "not valid JSON"],
  ['["a"]', "not a JSON object"],
])("WM7 the tool's error names what is wrong with %j", async (json, problem) => {
  const [use] = blocksOf(await said(start(), ...tool(0, json), ...end("tool_use")));
  expect(unreadableInputText(use?.kind === "toolUse" ? use.input : null)).toContain(problem);
  expect(unreadableInputText({ command: "ls" })).toBeNull();
});

const shown = (hash: string): PromptBlock => ({ kind: "image", image: { hash, mediaType: "image/png" } });
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** A provider that takes only so many pictures a request, and what it was sent. */
const taking = async (most: number, status: number, message: string) => {
  const sent: string[][] = [];
  const baseURL = await serve((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const pictures = [
        ...Buffer.concat(parts)
          .toString()
          .matchAll(/"data":"([^"]*)"/g),
      ].map(([, data]) => data ?? "");
      sent.push(pictures);
      if (pictures.length <= most) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(bytesOf([start(), block(0, { type: "text", text: "seen" }), ...end("end_turn")]));
      } else {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify({ type: "error", error: { type: "request_too_large", message } }));
      }
    });
  });
  return { sent, ...(await harness({ baseURL })) };
};

it.each([
  [413, "Request exceeds the maximum size"],
  [400, "messages: too many images and documents: 7 + 0 > 4"],
  [400, "prompt is too long: 300000 tokens > 200000 maximum"],
])("WM5 %d (%s) drops the oldest pictures first and asks again", async (status, message) => {
  const { sent, model, blobs } = await taking(4, status, message);
  const hashes = ["p1", "p2", "p3", "p4", "p5", "p6", "p7"];
  for (const hash of hashes) blobs.set(hash, Buffer.concat([PIXEL, Buffer.from(hash)]));
  const messages = [user(text("look"), ...hashes.map(shown))];
  expect(await ask(model, request(messages)).outcome).toMatchObject({
    kind: "answered",
    blocks: [{ text: "seen" }],
  });
  expect(sent.map(({ length }) => length)).toEqual([7, 6, 4]);
  const newest = hashes.slice(-4).map((hash) => blobs.get(hash)?.toString("base64"));
  expect(sent.at(-1)).toEqual(newest);
  // The next request begins without those that were dropped.
  await answered(ask(model, request(messages)));
  expect(sent.at(-1)).toEqual(newest);
});

it("WM5 only a request without pictures is too long", async () => {
  const { sent, model, blobs } = await taking(-1, 413, "Request exceeds the maximum size");
  for (const hash of ["p1", "p2"]) blobs.set(hash, PIXEL);
  const outcome = await ask(model, request([user(text("look"), shown("p1"), shown("p2"))])).outcome;
  expect(outcome).toMatchObject({ kind: "failed", failure: { kind: "context" } });
  expect(sent.map(({ length }) => length)).toEqual([2, 1, 0]);
});

const halves = fc.string({
  unit: fc.constantFrom("a", " ", HALF, "\udc00", "😀", '"', "\\", "\n"),
  maxLength: 6,
});
const json = fc.oneof(
  halves,
  fc.json({ maxDepth: 2 }),
  fc.dictionary(halves, fc.oneof(halves, fc.integer()), { maxKeys: 3 }).map((one) => JSON.stringify(one)),
  fc.dictionary(halves, halves, { maxKeys: 3 }),
);
const made = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text: halves }),
  fc.record({
    kind: fc.constant("tool" as const),
    id: halves,
    name: halves,
    json,
    start: fc.oneof(json, fc.constant({})),
  }),
  fc.record({ kind: fc.constant("thinking" as const), text: halves, signed: fc.boolean() }),
  fc.record({
    kind: fc.constant("odd" as const),
    type: fc.constantFrom("redacted_thinking", "image_glow", "server_note"),
    data: halves,
  }),
);
const reasons = fc.constantFrom(
  "end_turn",
  "tool_use",
  "max_tokens",
  "pause_turn",
  "stop_sequence",
  "refusal",
  "",
  "odd",
  null,
  undefined,
);

const eventsOf = (
  pieces: readonly (typeof made extends fc.Arbitrary<infer T> ? T : never)[],
): readonly object[] =>
  pieces.flatMap((piece, index) => {
    switch (piece.kind) {
      case "text":
        return [block(index, { type: "text", text: "" }), words(index, piece.text)];
      case "tool":
        return tool(index, piece.json, { id: piece.id, name: piece.name, input: piece.start });
      case "thinking":
        return [
          block(index, { type: "thinking", thinking: piece.text, signature: "" }),
          delta(index, { type: "signature_delta", signature: piece.signed ? signatureOf(piece.text) : "" }),
        ];
      case "odd":
        return [block(index, { type: piece.type, data: piece.data })];
    }
  });

/** Seeds that failed once. */
const SEEDS: readonly number[] = [1, 2, 3, 163476636, testSeed()];

test.each(SEEDS)(
  "39.A3 whatever events a model's stream holds, the next request satisfies the provider's rules (seed %i)",
  async (seed) => {
    const answers = fc.array(
      fc.record({
        pieces: fc.array(made, { maxLength: 4 }),
        reason: reasons,
        splice: fc.boolean(),
        tail: fc.constantFrom("", "data: [DONE]\n\n", ": x\n\n", "data:\n\n"),
      }),
      { minLength: 1, maxLength: 3 },
    );
    const samples = fc.sample(answers, { seed, numRuns: 25 });
    let streams = 0;
    for (const sample of samples) {
      const taken: (readonly PromptBlock[])[] = [];
      for (const { pieces, reason, splice, tail } of sample) {
        streams += 1;
        const events = eventsOf(pieces);
        const outcome = await said(
          start(),
          ...events,
          ...(splice ? [start("msg_2"), ...events] : []),
          ...end(reason),
          tail,
        );
        expect(outcome).toMatchObject(splice ? { kind: "failed" } : {});
        // As src/thread/prompt.ts tells it: only calls that the core accepts, and no text without words.
        taken.push(blocksOf(outcome).filter((one) => one.kind !== "text" || one.text.trim() !== ""));
      }
      expect(await next(taken)).toEqual([]);
    }
    expect(streams).toBeGreaterThan(25);
  },
);
