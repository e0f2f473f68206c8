/**
 * 39.A3 No history makes a request invalid, for Gemini and Bedrock: whatever events a model's stream holds, what follows is held to
 * the rules of their references. WM6: two answers in one stream.
 */

import fc from "fast-check";
import * as z from "zod";
import { describe, expect, it, test } from "vitest";
import { isWellFormed } from "../../../src/text/well-formed.ts";
import type { ModelOutcome } from "../../../src/ports/model.ts";
import type { PromptBlock, PromptMessage } from "../../../src/thread/prompt.ts";
import { testSeed } from "../../seed.ts";
import { ask, assistant, request, text, toolResult, user } from "../../model/harness.ts";
import { type Case, families, spoken } from "./spoken.ts";
import { frame, sse } from "../../fakes/providers/wires.ts";

const HALF = "\ud83d";

const named = (name: string): Case => {
  const found = families.find((one) => one.named === name);
  if (found === undefined) throw new Error(name);
  return found;
};
const GEMINI = named("gemini");
const VERTEX = named("vertex");
const BEDROCK = named("bedrock");

const blocksOf = (outcome: ModelOutcome): readonly PromptBlock[] =>
  outcome.kind === "answered" ? outcome.blocks : [];
const said = async (one: Case, bytes: Buffer): Promise<ModelOutcome> =>
  (await spoken(one, bytes)).asked().outcome;

const halves = fc.string({
  unit: fc.constantFrom("a", " ", HALF, "\udc00", "😀", '"', "\\", "\n", "."),
  maxLength: 6,
});
const args = fc.dictionary(halves, fc.oneof(halves, fc.integer(), fc.constant(null)), { maxKeys: 3 });
const piece = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text: halves }),
  fc.record({ kind: fc.constant("thought" as const), text: halves, signature: fc.option(halves) }),
  fc.record({
    kind: fc.constant("call" as const),
    id: halves,
    name: fc.oneof(halves, fc.constant("bash")),
    args: fc.oneof(args, args, halves, fc.constant([1])),
    signature: fc.option(halves),
  }),
);
type Piece = typeof piece extends fc.Arbitrary<infer T> ? T : never;
const answer = fc.record({
  pieces: fc.array(piece, { maxLength: 4 }),
  reason: fc.constantFrom("stop", "calls", "length", "filter", "odd", "", null),
  splice: fc.boolean(),
});
type Answer = typeof answer extends fc.Arbitrary<infer T> ? T : never;

const GEMINI_ENDS: Readonly<Record<string, string>> = {
  stop: "STOP",
  calls: "MALFORMED_FUNCTION_CALL",
  length: "MAX_TOKENS",
  filter: "SAFETY",
  odd: "OTHER",
};

const candidate = (parts: readonly object[], responseId: string, finishReason?: string | null) => ({
  responseId,
  candidates: [
    { content: { role: "model", parts }, index: 0, ...(finishReason === undefined ? {} : { finishReason }) },
  ],
});

const geminiBytes = ({ pieces, reason, splice }: Answer): Buffer => {
  const once = (id: string) => [
    candidate([{ text: "" }], id),
    candidate([{ text: "" }], id),
    ...pieces.map((one) => candidate([geminiPart(one)], id)),
  ];
  const last = candidate([], splice ? "r2" : "r1", GEMINI_ENDS[reason ?? ""] ?? reason);
  return sse([...once("r1"), ...(splice ? once("r2") : []), last]);
};

const geminiPart = (one: Piece): object => {
  switch (one.kind) {
    case "text":
      return { text: one.text };
    case "thought":
      return {
        text: one.text,
        thought: true,
        ...(one.signature === null ? {} : { thoughtSignature: one.signature }),
      };
    case "call":
      return {
        functionCall: { name: one.name, args: one.args },
        ...(one.signature === null ? {} : { thoughtSignature: one.signature }),
      };
  }
};

const BEDROCK_ENDS: Readonly<Record<string, string>> = {
  stop: "end_turn",
  calls: "tool_use",
  length: "max_tokens",
  filter: "content_filtered",
  odd: "malformed_model_output",
};

const bedrockBytes = ({ pieces, reason, splice }: Answer): Buffer => {
  const once = [
    frame("messageStart", { role: "assistant" }),
    ...pieces.flatMap((one, at) => [
      ...bedrockBlock(one, at),
      frame("contentBlockStop", { contentBlockIndex: at }),
    ]),
  ];
  return Buffer.concat([
    ...once,
    ...(splice ? once : []),
    ...(reason === null ? [] : [frame("messageStop", { stopReason: BEDROCK_ENDS[reason] ?? reason })]),
    frame("metadata", {
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      metrics: { latencyMs: 1 },
    }),
  ]);
};

const bedrockBlock = (one: Piece, contentBlockIndex: number): readonly Buffer[] => {
  const delta = (made: object) => frame("contentBlockDelta", { contentBlockIndex, delta: made });
  switch (one.kind) {
    case "text":
      return [delta({ text: one.text })];
    case "thought":
      return [
        delta({ reasoningContent: { text: one.text } }),
        ...(one.signature === null ? [] : [delta({ reasoningContent: { signature: one.signature } })]),
      ];
    case "call":
      return [
        frame("contentBlockStart", {
          contentBlockIndex,
          start: { toolUse: { toolUseId: one.id, name: one.name } },
        }),
        delta({ toolUse: { input: typeof one.args === "string" ? one.args : JSON.stringify(one.args) } }),
      ];
  }
};

const record = z.record(z.string(), z.unknown());
const geminiRequest = z.object({
  contents: z
    .array(
      z.object({
        role: z.enum(["user", "model"]),
        parts: z
          .array(
            z.union([
              z.strictObject({
                functionCall: z.looseObject({
                  name: z.string().regex(/^[a-zA-Z_][\w.:-]{0,127}$/),
                  args: record,
                }),
                thoughtSignature: z.string().min(1).optional(),
              }),
              z.strictObject({
                functionResponse: z.looseObject({ name: z.string().min(1), response: record }),
              }),
              z.strictObject({ text: z.string().min(1), thought: z.boolean().optional() }),
              // Gemini sends a signature in a part of its own, with an empty text, and asks for that part as it was.
              z.strictObject({
                text: z.string(),
                thought: z.boolean().optional(),
                thoughtSignature: z.string().min(1),
              }),
            ]),
          )
          .min(1),
      }),
    )
    .min(1),
});

/** What Google's reference forbids: each round of calls has as many responses, at once behind it. */
const geminiProblems = (body: string): readonly string[] => {
  const json: unknown = JSON.parse(body);
  const { data, error } = geminiRequest.safeParse(json);
  if (data === undefined) return [z.prettifyError(error)];
  const problems = isWellFormed(json) ? [] : ["half a surrogate pair"];
  const { contents } = data;
  if (contents[0]?.role !== "user" || contents.at(-1)?.role !== "user")
    problems.push("not begun and ended by a user");
  contents.forEach(({ role, parts }, index) => {
    const calls = parts.flatMap((one) => ("functionCall" in one ? [one.functionCall.name] : []));
    const before = contents[index - 1];
    if (calls.length > 0 && (role !== "model" || before?.role !== "user"))
      problems.push("a call out of place");
    const next = contents[index + 1]?.parts ?? [];
    const results = next.flatMap((one) => ("functionResponse" in one ? [one.functionResponse.name] : []));
    if (calls.toSorted().join() !== results.toSorted().join()) problems.push("calls and responses differ");
  });
  return problems;
};

const ID = /^[a-zA-Z0-9_-]{1,64}$/;
const point = z.strictObject({ cachePoint: z.unknown() });
const words = z.strictObject({ text: z.string().regex(/\S/) });
const bedrockRequest = z.object({
  messages: z
    .array(
      z.discriminatedUnion("role", [
        z.object({
          role: z.literal("user"),
          content: z
            .array(
              z.union([
                words,
                point,
                z.strictObject({
                  toolResult: z.object({
                    toolUseId: z.string().regex(ID),
                    content: z.array(z.unknown()),
                    status: z.enum(["success", "error"]).optional(),
                  }),
                }),
              ]),
            )
            .min(1),
        }),
        z.object({
          role: z.literal("assistant"),
          content: z
            .array(
              z.union([
                words,
                point,
                z.strictObject({
                  toolUse: z.object({
                    toolUseId: z.string().regex(ID),
                    name: z.string().regex(ID),
                    input: record,
                  }),
                }),
                z.strictObject({
                  reasoningContent: z.union([
                    z.object({
                      reasoningText: z.object({ text: z.string(), signature: z.string().min(1).optional() }),
                    }),
                    z.object({ redactedContent: z.string() }),
                  ]),
                }),
              ]),
            )
            .min(1),
        }),
      ]),
    )
    .min(1),
});

/** What Amazon's reference of Converse forbids: roles alternate, and each round of calls has its results in the next message. */
const bedrockProblems = (body: string): readonly string[] => {
  const json: unknown = JSON.parse(body);
  const { data, error } = bedrockRequest.safeParse(json);
  if (data === undefined) return [z.prettifyError(error)];
  const problems = isWellFormed(json) ? [] : ["half a surrogate pair"];
  data.messages.forEach(({ role, content }, index) => {
    if (role !== (index % 2 === 0 ? "user" : "assistant")) problems.push("roles do not alternate");
    const calls = content.flatMap((one) => ("toolUse" in one ? [one.toolUse.toolUseId] : []));
    const next = data.messages[index + 1]?.content ?? [];
    const results = next.flatMap((one) => ("toolResult" in one ? [one.toolResult.toolUseId] : []));
    if (new Set(calls).size !== calls.length) problems.push("two calls of one id");
    if (calls.toSorted().join() !== results.toSorted().join()) problems.push("calls and results differ");
  });
  if (data.messages.at(-1)?.role !== "user") problems.push("not ended by a user");
  return problems;
};

/** Seeds that are always tried; one that fails is added. */
const SEEDS: readonly number[] = [1, 8_779_128, testSeed()];

describe.each([
  ["gemini", GEMINI, geminiBytes, geminiProblems],
  ["vertex", VERTEX, geminiBytes, geminiProblems],
  ["bedrock", BEDROCK, bedrockBytes, bedrockProblems],
] as const)("39.A3 %s", (_name, one, bytesOf, problemsOf) => {
  test.each(SEEDS)(
    "whatever events a model's stream holds, the next request satisfies the provider's rules (seed %i)",
    async (seed) => {
      let told = 0;
      const samples = fc.sample(fc.array(answer, { minLength: 1, maxLength: 3 }), { seed, numRuns: 12 });
      for (const sample of samples) {
        const ok = { text: "ok", end: "stop" } as const;
        const { model, name, bodies } = await spoken(one, ...sample.map(bytesOf), ok);
        const messages: PromptMessage[] = [user(text("go"))];
        for (const { splice, pieces } of sample) {
          const outcome = await ask(model, request(messages, { model: name })).outcome;
          if (splice && pieces.length > 0) expect(outcome).toMatchObject({ kind: "failed" });
          // As src/thread/prompt.ts tells it: no text without words.
          const blocks = blocksOf(outcome).filter((each) => each.kind !== "text" || each.text.trim() !== "");
          if (blocks.length === 0) continue;
          told += 1;
          const results = blocks.flatMap((each) =>
            each.kind === "toolUse" ? [toolResult(each.id, "no", true)] : [],
          );
          messages.push(assistant(...blocks), user(...(results.length > 0 ? results : [text("go on")])));
        }
        expect((await ask(model, request(messages, { model: name })).outcome).kind).toBe("answered");
        expect(problemsOf(bodies.at(-1) ?? "")).toEqual([]);
      }
      expect(told).toBeGreaterThan(2);
    },
  );
});

describe("two answers in one stream", () => {
  it("WM6 of Gemini are a cut stream; an id in each chunk of its own is one answer", async () => {
    const parts = ["A", "B", "C"].map((one) => [{ text: one }]);
    const chunks = (...ids: readonly string[]) =>
      sse([
        ...parts.map((one, index) => candidate(one, ids[index] ?? "")),
        candidate([], ids.at(-1) ?? "", "STOP"),
      ]);
    for (const one of [GEMINI, VERTEX]) {
      expect(await said(one, chunks("r1", "r1", "r2"))).toMatchObject({
        kind: "failed",
        failure: { kind: "network" },
      });
      expect(await said(one, chunks("r1", "r1", "r1"))).toMatchObject({ blocks: [{ text: "ABC" }] });
      expect(await said(one, chunks("r1", "r2", "r3"))).toMatchObject({ blocks: [{ text: "ABC" }] });
    }
  });

  it("WM6 of Bedrock are a cut stream; a start that is sent twice is one answer", async () => {
    const start = frame("messageStart", { role: "assistant" });
    const rest = [
      frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "A" } }),
      frame("contentBlockStop", { contentBlockIndex: 0 }),
    ];
    const end = frame("messageStop", { stopReason: "end_turn" });
    expect(await said(BEDROCK, Buffer.concat([start, ...rest, start, ...rest, end]))).toMatchObject({
      kind: "failed",
      failure: { kind: "network" },
    });
    expect(await said(BEDROCK, Buffer.concat([start, start, ...rest, end]))).toMatchObject({
      blocks: [{ text: "A" }],
    });
  });
});

const turn = (role: string, ...parts: readonly object[]) => ({ role, parts });
const gemini = (...contents: readonly object[]) => geminiProblems(JSON.stringify({ contents }));
const bedrock = (...messages: readonly object[]) => bedrockProblems(JSON.stringify({ messages }));
const says = (role: string, ...content: readonly object[]) => ({ role, content });

it("39.A3 the rules refuse what the providers refuse", () => {
  const call = { functionCall: { name: "bash", args: {} } };
  const response = { functionResponse: { name: "bash", response: {} } };
  expect(gemini(turn("user", { text: "x" }))).toEqual([]);
  expect(gemini(turn("user", { text: "x" }), turn("model", call), turn("user", response))).toEqual([]);
  expect(gemini(turn("user", { text: "x" }), turn("model", call), turn("user", { text: "y" }))).not.toEqual(
    [],
  );
  expect(gemini(turn("user", { text: HALF }))).not.toEqual([]);
  const empty = { text: "", thought: true };
  const signed = { ...empty, thoughtSignature: "s" };
  expect(gemini(turn("user", { text: "x" }), turn("model", signed), turn("user", { text: "y" }))).toEqual([]);
  expect(gemini(turn("user", { text: "x" }), turn("model", empty), turn("user", { text: "y" }))).not.toEqual(
    [],
  );
  const used = { toolUse: { toolUseId: "t", name: "bash", input: {} } };
  const result = { toolResult: { toolUseId: "t", content: [] } };
  expect(bedrock(says("user", { text: "x" }))).toEqual([]);
  expect(bedrock(says("user", { text: "x" }), says("assistant", used), says("user", result))).toEqual([]);
  expect(
    bedrock(says("user", { text: "x" }), says("assistant", used), says("user", { text: "y" })),
  ).not.toEqual([]);
  expect(bedrock(says("user", { text: " " }))).not.toEqual([]);
});
