/** What a provider says after its answer has begun, in its own words. */

import { expect, test } from "vitest";
import { answered } from "../../model/harness.ts";
import { families, spoken } from "./spoken.ts";
import { exception, sse } from "../../fakes/providers/wires.ts";

const half = (one: (typeof families)[number]) => one.format.write({ text: "half", end: null });
const failed = (code: string) => ({
  type: "response.failed",
  sequence_number: 9,
  response: { error: { code, message: "It went wrong." }, incomplete_details: null },
});
/** As each provider tells it after the answer has begun. */
const MIDWAY: readonly (readonly [string, string, Buffer, string])[] = [
  ["openai responses", "server_error", sse([failed("server_error")]), "overloaded"],
  ["openai responses", "rate_limit_exceeded", sse([failed("rate_limit_exceeded")]), "rate_limit"],
  ["openai responses", "context_length_exceeded", sse([failed("context_length_exceeded")]), "context"],
  [
    "openai responses",
    "an error event",
    sse([
      {
        type: "error",
        sequence_number: 1,
        error: { type: "server_error", code: "server_error", message: "x" },
      },
    ]),
    "overloaded",
  ],
  [
    "openai chat completions",
    "503",
    sse([{ error: { message: "busy", type: "server_error", code: 503 } }]),
    "overloaded",
  ],
  ["openai chat completions", "429", sse([{ error: { message: "slow down", code: 429 } }]), "rate_limit"],
  [
    "openai chat completions",
    "too long",
    sse([{ error: { message: "maximum context length is 8192 tokens", code: "context_length_exceeded" } }]),
    "context",
  ],
  [
    "gemini",
    "UNAVAILABLE",
    sse([{ error: { code: 503, message: "overloaded", status: "UNAVAILABLE" } }]),
    "overloaded",
  ],
  [
    "vertex",
    "RESOURCE_EXHAUSTED",
    sse([{ error: { code: 429, message: "quota", status: "RESOURCE_EXHAUSTED" } }]),
    "rate_limit",
  ],
  ["bedrock", "throttlingException", exception("throttlingException", "Too many requests"), "rate_limit"],
  ["bedrock", "internalServerException", exception("internalServerException", "oops"), "overloaded"],
  ["bedrock", "modelStreamErrorException", exception("modelStreamErrorException", "oops"), "overloaded"],
  ["bedrock", "serviceUnavailableException", exception("serviceUnavailableException", "oops"), "overloaded"],
  [
    "bedrock",
    "validationException",
    exception("validationException", "Input is too long for requested model."),
    "context",
  ],
  [
    "mistral",
    "500",
    sse([{ object: "error", message: "Service unavailable", type: "service_unavailable", code: 503 }]),
    "overloaded",
  ],
];

test.for(MIDWAY)("%s: %s in the middle of a stream is told by its kind", async ([named, , event, kind]) => {
  const one = families.find((other) => other.named === named);
  if (one === undefined) throw new Error(named);
  for (const answer of [Buffer.concat([half(one), event]), event]) {
    const { asked } = await spoken(one, answer);
    expect(await asked().outcome).toMatchObject({ kind: "failed", failure: { kind } });
  }
});

test.for<readonly [string, Buffer]>([
  [
    "openai responses",
    sse([
      { type: "response.created", response: { id: "r1", created_at: 1, model: "m" } },
      { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1" } },
      {
        type: "response.refusal.delta",
        item_id: "msg_1",
        output_index: 0,
        content_index: 0,
        delta: "I will not.",
      },
      {
        type: "response.refusal.done",
        item_id: "msg_1",
        output_index: 0,
        content_index: 0,
        refusal: "I will not.",
      },
      { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "msg_1" } },
      { type: "response.completed", response: { incomplete_details: null } },
    ]),
  ],
  [
    "openai chat completions",
    sse(
      [
        { id: "c", choices: [{ index: 0, delta: { role: "assistant", refusal: "I will not." } }] },
        { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      ],
      "data: [DONE]\n\n",
    ),
  ],
])("%s: the words of a refusal are shown", async ([named, answer]) => {
  const one = families.find((other) => other.named === named);
  if (one === undefined) throw new Error(named);
  const { asked } = await spoken(one, answer);
  const { blocks } = await answered(asked());
  expect(blocks.filter(({ kind }) => kind !== "opaque")).toEqual([{ kind: "text", text: "I will not." }]);
});
