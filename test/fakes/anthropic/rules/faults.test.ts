import {
  APIError,
  APIUserAbortError,
  AnthropicError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from "@anthropic-ai/sdk";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { disturb } from "../disturb.ts";
import type { Fault } from "../fault.ts";
import { ask, harness, rejection } from "../harness.ts";
import type { Step } from "../plan.ts";
import { problemBody, typeOfStatus } from "../problem.ts";
import { wireSchema } from "../schema.ts";
import { say } from "../turn.ts";

test.for([
  [{ kind: "status", status: 400 }, BadRequestError, "invalid_request_error"],
  [{ kind: "status", status: 401 }, AuthenticationError, "authentication_error"],
  [{ kind: "status", status: 403 }, PermissionDeniedError, "permission_error"],
  [{ kind: "status", status: 404 }, NotFoundError, "not_found_error"],
  [{ kind: "status", status: 413 }, APIError, "invalid_request_error"],
  [{ kind: "status", status: 429 }, RateLimitError, "rate_limit_error"],
  [{ kind: "status", status: 500 }, InternalServerError, "api_error"],
  [{ kind: "status", status: 529 }, APIError, "overloaded_error"],
  [{ kind: "html", status: 502 }, InternalServerError, null],
] as const)("%o reaches the SDK's caller with its status and type", async ([fault, error, type]) => {
  const { fake, client } = await harness();
  fake.fault(fault);
  const failure = await rejection(client.messages.stream(ask()).finalMessage());
  expect(failure).toBeInstanceOf(error);
  expect(failure).toMatchObject({ status: fault.status, type });
});

test("429 carries retry-after only where the script gives it, and a spend code where it names one", async () => {
  const { fake, client } = await harness();
  fake.fault({ kind: "status", status: 429, retryAfter: "7" });
  fake.fault({ kind: "status", status: 429, code: "enforced_spend_limit_reached" });
  const first = await rejection(client.messages.create(ask()));
  const second = await rejection(client.messages.create(ask()));
  expect(first instanceof APIError && first.headers?.get("retry-after")).toBe("7");
  expect(second instanceof APIError && second.headers?.get("retry-after")).toBe(null);
  expect(second).toMatchObject({ errorCode: "enforced_spend_limit_reached" });
});

test.for([
  [{ kind: "cut", afterDeltas: 0 }, [], { message: "terminated", cause: { message: "terminated" } }],
  [{ kind: "cut", afterDeltas: 1 }, ["one "], { message: "terminated" }],
  [{ kind: "cutBytes", bytes: 30 }, [], { message: "terminated" }],
  [{ kind: "noStop" }, ["one ", "two"], { message: expect.stringContaining("without producing a Message") }],
  [{ kind: "noStop", afterDeltas: 1 }, ["one "], { message: expect.stringContaining("without producing") }],
  [{ kind: "empty" }, [], { message: "request ended without sending any chunks" }],
  [{ kind: "errorEvent", afterDeltas: 1 }, ["one "], { status: undefined, type: "overloaded_error" }],
  [
    { kind: "errorEvent", afterDeltas: 0, type: "api_error", message: "broken" },
    [],
    { status: undefined, type: "api_error", apiMessage: "broken" },
  ],
  [{ kind: "reset" }, [], { name: "APIConnectionError" }],
] as const satisfies readonly (readonly [Fault, readonly string[], object])[])(
  "%o ends the stream after %o",
  async ([fault, deltas, failure]) => {
    const { fake, client } = await harness();
    fake.script(say(["one ", "two"]));
    fake.fault(fault);

    const seen: string[] = [];
    const stream = client.messages.stream(ask()).on("text", (delta) => seen.push(delta));
    const error = await rejection(stream.finalMessage());

    expect(error).toBeInstanceOf(AnthropicError);
    expect(error).toMatchObject(failure);
    expect(seen).toEqual(deltas);
    // The spoilt turn was not used up: the next attempt gets it.
    expect((await client.messages.create(ask())).content).toMatchObject([{ text: "one two" }]);
    expect(fake.violations).toEqual([]);
  },
);

test.for([
  { kind: "framing", framing: "bytes" },
  { kind: "framing", framing: "merged" },
  { kind: "framing", framing: "splitUtf8" },
  { kind: "unknownEvent" },
  { kind: "pings" },
] as const satisfies readonly Fault[])("%o changes nothing in what is said", async (fault) => {
  const { fake, client } = await harness();
  fake.script(say("Käse 🧀 und Brot"));
  fake.fault(fault);
  const message = await client.messages.stream(ask()).finalMessage();
  expect(message.content).toMatchObject([{ text: "Käse 🧀 und Brot" }]);
  expect(fake.pending()).toBe(0);
});

test("a stalled answer sends what it has and stays open until the client gives up", async () => {
  const { fake, client } = await harness();
  fake.script(say(["one ", "two"]));
  fake.fault({ kind: "stall", afterDeltas: 1 });
  const stream = client.messages.stream(ask());
  const failed = rejection(stream.finalMessage());
  await new Promise((resolve) => stream.once("text", resolve));
  const request = await fake.nextRequest();
  stream.abort();
  expect(await failed).toBeInstanceOf(APIUserAbortError);
  expect(await request.ended).toMatchObject({ kind: "aborted" });
});

test.for([
  // Without a stream the SDK passes on what fetch and JSON.parse throw, not an error class of its own.
  [
    { kind: "cut", afterDeltas: 1 },
    { name: "TypeError", message: "terminated" },
  ],
  [{ kind: "noStop" }, { name: "SyntaxError" }],
  [
    { kind: "errorEvent", afterDeltas: 1 },
    { status: 529, type: "overloaded_error" },
  ],
] as const satisfies readonly (readonly [Fault, object])[])(
  "%o also spoils an answer in JSON",
  async ([fault, failure]) => {
    const { fake, client } = await harness();
    fake.script(say("whole"));
    fake.fault(fault);
    expect(await rejection(client.messages.create(ask()))).toMatchObject(failure);
    expect((await client.messages.create(ask())).content).toMatchObject([{ text: "whole" }]);
  },
);

test("every error the fake makes of itself has the shape the SDK declares", async () => {
  const { ErrorResponse } = await wireSchema();
  for (const status of [400, 401, 402, 403, 404, 408, 413, 429, 500, 504, 529]) {
    const body = problemBody({ status, type: typeOfStatus(status), message: "no" }, "req_1");
    expect([status, ErrorResponse(body)]).toEqual([status, true]);
  }
  expect(ErrorResponse({ type: "error", error: { type: "bad_mood", message: "no" }, request_id: null })).toBe(
    false,
  );
});

test("framing cuts where it says", () => {
  const step: Step = { kind: "bytes", bytes: Buffer.from("aö🧀b"), isDelta: true };
  const sizes = (framing: "bytes" | "merged" | "splitUtf8"): readonly number[] =>
    disturb([step, step], { kind: "framing", framing }).map((one) =>
      one.kind === "bytes" ? one.bytes.length : 0,
    );
  expect(sizes("bytes")).toEqual(Array.from({ length: 16 }, () => 1));
  expect(sizes("merged")).toEqual([16]);
  expect(sizes("splitUtf8")).toEqual([2, 2, 1, 1, 2, 2, 2, 1, 1, 2]);
});

test("a fault strikes as often as it is told, and only where it matches", async () => {
  const { fake, client } = await harness();
  fake.scriptAlways(say("fine"));
  fake.fault({ kind: "status", status: 500 }, { times: 2, match: { contains: "unlucky" } });
  const status = (content: string): Promise<unknown> =>
    client.messages.create(ask([{ role: "user", content }])).then(
      () => 200,
      (error: unknown) => (error instanceof APIError ? error.status : error),
    );
  expect(await status("lucky")).toBe(200);
  expect([await status("unlucky"), await status("unlucky"), await status("unlucky")]).toEqual([
    500, 500, 200,
  ]);
});

test("a fault on another path strikes there", async () => {
  const { fake, client } = await harness();
  fake.fault({ kind: "status", status: 503 }, { match: { path: "/v1/models/claude-opus-5-5" } });
  await expect(client.models.retrieve("claude-opus-5-5")).rejects.toMatchObject({ status: 503 });
  await expect(client.models.retrieve("claude-opus-5-5")).resolves.toMatchObject({ id: "claude-opus-5-5" });
});

test("framing keeps every byte in its order", () => {
  const steps = fc.array(
    fc
      .string({ unit: "grapheme" })
      .map((text): Step => ({ kind: "bytes", bytes: Buffer.from(text), isDelta: true })),
  );
  const framing = fc.constantFrom("bytes", "merged", "splitUtf8");
  fc.assert(
    fc.property(steps, framing, (before, how) => {
      const after = disturb(before, { kind: "framing", framing: how });
      expect(bytesOf(after)).toEqual(bytesOf(before));
    }),
    { numRuns: 500 },
  );
});

test("cutting after n bytes sends exactly those n bytes", () => {
  const texts = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1 });
  fc.assert(
    fc.property(texts, fc.nat(200), (parts, count) => {
      const steps = parts.map((text): Step => ({ kind: "bytes", bytes: Buffer.from(text), isDelta: true }));
      const after = disturb(steps, { kind: "cutBytes", bytes: count });
      expect(bytesOf(after)).toEqual(bytesOf(steps).subarray(0, count));
      expect(after.at(-1)).toEqual({ kind: "cut" });
    }),
    { numRuns: 500 },
  );
});

const bytesOf = (steps: readonly Step[]): Buffer =>
  Buffer.concat(steps.flatMap((step) => (step.kind === "bytes" ? [step.bytes] : [])));
