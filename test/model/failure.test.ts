/** Every failure has its kind and one sentence that says what to do (C9; bug list 5). */

import { expect, test } from "vitest";
import type { FailureKind } from "../../src/machine/vocabulary.ts";
import { type ModelProblem, refusalFailure } from "../../src/model/failure.ts";
import type { Fault } from "../fakes/anthropic/fault.ts";
import { say } from "../fakes/anthropic/turn.ts";
import { ask, harness, KEY, MODEL, request, serve } from "./harness.ts";

test.for<readonly [Fault, FailureKind, RegExp]>([
  [
    { kind: "status", status: 400, message: "max_tokens: too big" },
    "invalid_request",
    /max_tokens: too big\. /,
  ],
  [
    { kind: "status", status: 400, message: "prompt is too long: 9 tokens > 8 maximum" },
    "context",
    /start a new conversation/,
  ],
  [{ kind: "status", status: 400, message: "Your credit balance is too low" }, "billing", /operator/],
  [
    { kind: "status", status: 401 },
    "auth",
    /^Authentication failed: .*refused\. The operator has to set ANTHROPIC_API_KEY\.$/,
  ],
  [{ kind: "status", status: 403 }, "auth", new RegExp(`may not use ${MODEL}`)],
  [{ kind: "status", status: 402 }, "billing", /credit/],
  [{ kind: "status", status: 404 }, "not_found", new RegExp(`no model ${MODEL}.*ANTHROPIC_BASE_URL`)],
  [{ kind: "status", status: 408 }, "network", /too long to answer/],
  [{ kind: "status", status: 409 }, "invalid_request", /status 409/],
  [{ kind: "status", status: 413 }, "context", /too large/],
  [{ kind: "status", status: 422 }, "invalid_request", /status 422/],
  [{ kind: "status", status: 429 }, "rate_limit", /in a minute/],
  [{ kind: "status", status: 429, retryAfter: "7" }, "rate_limit", /in 7 s/],
  [{ kind: "status", status: 429, code: "ramp_limit_exceeded" }, "rate_limit", /rate limit/],
  [{ kind: "status", status: 429, code: "enforced_spend_limit_reached" }, "billing", /spend limit/],
  [{ kind: "status", status: 429, code: "contract_spend_limit_reached" }, "billing", /spend limit/],
  [{ kind: "status", status: 500 }, "overloaded", /status 500/],
  [{ kind: "status", status: 503 }, "overloaded", /status 503/],
  [{ kind: "status", status: 529 }, "overloaded", /status 529/],
  [{ kind: "html", status: 502 }, "overloaded", /^[^<]*status 502[^<]*$/],
  [{ kind: "html", status: 404 }, "not_found", /ANTHROPIC_BASE_URL/],
  [{ kind: "empty" }, "network", /broke/],
  [{ kind: "reset" }, "network", /ECONNRESET|UND_ERR_SOCKET/],
  [{ kind: "cut", afterDeltas: 0 }, "network", /broke/],
  [{ kind: "cut", afterDeltas: 1 }, "network", /broke/],
  [{ kind: "cutBytes", bytes: 30 }, "network", /broke/],
  [{ kind: "noStop" }, "network", /broke/],
  [{ kind: "noStop", afterDeltas: 1 }, "network", /broke/],
  [{ kind: "errorEvent", afterDeltas: 1 }, "overloaded", /overloaded_error/],
  [{ kind: "errorEvent", afterDeltas: 0, type: "api_error" }, "overloaded", /api_error/],
  [{ kind: "errorEvent", afterDeltas: 1, type: "rate_limit_error" }, "rate_limit", /rate limit/],
  [{ kind: "errorEvent", afterDeltas: 1, type: "timeout_error" }, "network", /too long/],
  [
    { kind: "errorEvent", afterDeltas: 1, type: "invalid_request_error", message: "odd" },
    "invalid_request",
    /odd/,
  ],
  [{ kind: "errorEvent", afterDeltas: 1, type: "billing_error" }, "billing", /credit/],
])("%o is %s", async ([fault, kind, sentence]) => {
  const { fake, model, clock } = await harness();
  fake.script(say(["one ", "two"]));
  fake.fault(fault);
  const outcome = await ask(model, request()).outcome;
  expect(outcome).toMatchObject({
    kind: "failed",
    failure: { kind, message: expect.stringMatching(sentence) },
  });
  expect(fake.requests.length, "the SDK does not retry by itself").toBe(1);
  expect(clock.armed()).toBe(0);
  // The allow twin: the same request without the fault.
  expect(await ask(model, request()).outcome).toMatchObject({ kind: "answered" });
});

test.for([
  [{ "retry-after": "3" }, 3000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after-ms": "1234", "retry-after": "9" }, 1234],
  [{ "retry-after": new Date(1_000_000 + 5000).toUTCString() }, 5000],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:01 GMT" }, null],
  [{ "retry-after": "soon" }, null],
  [{}, null],
] as const)("%o asks to wait %s ms", async ([headers, retryAfter]) => {
  const baseURL = await serve((_, response) => response.writeHead(429, headers).end("{}"));
  const { model } = await harness({ baseURL });
  const outcome = await ask(model, request()).outcome;
  expect(outcome).toMatchObject({ failure: { kind: "rate_limit", retryAfter } });
});

test("an address that nobody serves, and a name that nobody knows, are network failures", async () => {
  const closed = await harness();
  await closed.fake.close();
  const refused = await ask(closed.model, request()).outcome;
  expect(refused).toMatchObject({
    failure: { kind: "network", message: expect.stringContaining("ECONNREFUSED") },
  });

  const { model } = await harness({ baseURL: "http://nowhere.invalid" });
  const unknown = await ask(model, request()).outcome;
  expect(unknown).toMatchObject({
    failure: { kind: "network", message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) },
  });
});

test("a key that is wrong is refused, and the sentence does not hold it", async () => {
  const { model } = await harness({ apiKey: "sk-ant-wrong-key-12345" });
  const outcome = await ask(model, request()).outcome;
  expect(outcome).toMatchObject({ failure: { kind: "auth" } });
  expect(JSON.stringify(outcome)).not.toContain("wrong-key");
});

test.for([
  ["with the key", `the key ${KEY} is bad`],
  ["with the end of the key", `key …${KEY.slice(-9)} is bad`],
  ["with what looks like a key", "header Authorization: Bearer abcdefghijk"],
  ["with another key", "sk-other-1234567 may not"],
])("a provider's message %s is left out", async ([, message]) => {
  const { fake, model } = await harness();
  fake.fault({ kind: "status", status: 400, message });
  const outcome = await ask(model, request()).outcome;
  expect(outcome).toMatchObject({
    failure: {
      kind: "invalid_request",
      message: expect.stringMatching(/^The provider refused the request \(status 400\)\. /),
    },
  });
});

test("a provider's message is one line of at most 300 characters", () => {
  const failure = refusalFailure(problem({ status: 400, message: `a\n\u0007b ${"👍".repeat(1000)}` }), {
    model: MODEL,
    secrets: [],
    named: { key: "ANTHROPIC_API_KEY", address: "ANTHROPIC_BASE_URL" },
  });
  const quoted = /\): (.*?)\. Asking again/su.exec(failure.message)?.[1] ?? "";
  expect(quoted).toMatch(/^a b 👍/u);
  expect(Array.from(quoted).length).toBe(300);
  expect(quoted.isWellFormed()).toBe(true);
});

const problem = (over: Partial<ModelProblem>): ModelProblem => ({
  status: null,
  type: null,
  code: null,
  message: null,
  retryAfter: null,
  ...over,
});

/** Timers of one request: for a sign of life, for a word, and for telling people that none comes. */
const WAITS = 3;

test("a stalled body is ended by the watchdog", async () => {
  const { fake, model, clock } = await harness({ idleLimit: 5000 });
  fake.script(say(["one ", "two"]));
  fake.fault({ kind: "stall", afterDeltas: 1 });
  const heard = Promise.withResolvers<void>();
  const asked = ask(model, request(), () => heard.resolve());
  await heard.promise;
  const seen = await fake.nextRequest();
  clock.advance(4999);
  expect(clock.armed(), "still waiting").toBe(WAITS);
  clock.advance(1);
  expect(await asked.outcome).toMatchObject({
    failure: { kind: "network", message: expect.stringContaining("5 s") },
  });
  await seen.aborted;
});

test("a ping is a sign of life", async () => {
  const pinged = Promise.withResolvers<() => void>();
  const baseURL = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    pinged.resolve(() => response.write('event: ping\ndata: {"type":"ping"}\n\n'));
  });
  const { model, clock } = await harness({ baseURL, idleLimit: 5000 });
  const asked = ask(model, request());
  const ping = await pinged.promise;
  clock.advance(4999);
  ping();
  // At first, for the last second of the wait, and anew.
  await clock.whenArmed(WAITS + 2);
  clock.advance(4999);
  expect(clock.armed(), "still waiting").toBe(WAITS);
  clock.advance(1);
  expect(await asked.outcome).toMatchObject({ failure: { kind: "network" } });
});

/** A model that sends nothing but pings, one for each call. */
const pinging = async () => {
  const begun = Promise.withResolvers<(event: object) => void>();
  const baseURL = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    begun.resolve((event) => response.write(`data: ${JSON.stringify(event)}\n\n`));
  });
  const { model, clock } = await harness({ baseURL });
  const silent: boolean[] = [];
  const asked = ask(
    model,
    request(),
    () => undefined,
    (is) => silent.push(is),
  );
  const send = await begun.promise;
  let arms = WAITS;
  return {
    clock,
    asked,
    silent,
    /** Sends it, so much later, and waits until it was heard; how many timers it and the time before it arm. */
    after: async (delay: number, event: object, armed: number): Promise<void> => {
      clock.advance(delay);
      send(event);
      arms += armed;
      await clock.whenArmed(arms);
    },
  };
};

const PING = { type: "ping" };
const THINKS = { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } };
const BEGINS = {
  type: "content_block_start",
  index: 0,
  content_block: { type: "thinking", thinking: "", signature: "" },
};

test("a model that sends nothing but pings is told of after a minute, and has failed after five", async () => {
  const { clock, asked, silent, after } = await pinging();
  for (let at = 40_000; at <= 280_000; at += 40_000) {
    await after(40_000, PING, 1);
    expect(silent).toEqual(at < 60_000 ? [] : [true]);
  }
  clock.advance(20_000);
  expect(await asked.outcome).toMatchObject({
    failure: { kind: "network", message: expect.stringContaining("said nothing for 300 s") },
  });
  expect(silent).toEqual([true, false]);
  expect(clock.armed()).toBe(0);
});

test("a model that is waited for as long as it may be silent is told to have sent nothing", async () => {
  const baseURL = await serve((_, response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
  );
  const { model, clock } = await harness({ baseURL, idleLimit: 300_000 });
  const asked = ask(model, request());
  await clock.whenArmed(WAITS);
  clock.advance(300_000);
  expect(await asked.outcome).toMatchObject({
    failure: { kind: "network", message: "The model sent nothing for 300 s. Try again." },
  });
});

test("a model that thinks between its pings is waited for", async () => {
  const { clock, asked, silent, after } = await pinging();
  await after(0, BEGINS, WAITS);
  for (let round = 0; round < 10; round += 1) {
    await after(40_000, PING, 1);
    await after(40_000, THINKS, WAITS);
  }
  expect(silent).toEqual(Array.from({ length: 10 }, () => [true, false]).flat());
  expect(clock.armed()).toBe(WAITS);
  asked.abort.abort();
  await asked.outcome;
});

test("a request that is never answered is ended by the watchdog", async () => {
  const { fake, model, clock } = await harness();
  fake.script({ ...say("late"), hold: fake.gate() });
  const asked = ask(model, request());
  await fake.nextRequest();
  clock.advance(90_000);
  expect(await asked.outcome).toMatchObject({
    failure: { kind: "network", message: expect.stringContaining("90 s") },
  });
});
