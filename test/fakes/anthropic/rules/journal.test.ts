import { APIUserAbortError, AnthropicError } from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { ask, harness, rejection } from "../harness.ts";
import { say } from "../turn.ts";

test("each request is kept with its body and without the key", async () => {
  const { fake, client } = await harness();
  fake.script(say("ok"));
  await client.messages.create(ask());

  const [request] = fake.requests;
  expect(request).toMatchObject({
    seq: 1,
    method: "POST",
    path: "/v1/messages",
    auth: "bearer",
    body: ask(),
  });
  expect(request?.headers["anthropic-version"]).toBe("2026-10-21");
  expect(JSON.stringify(request?.headers)).not.toContain(fake.apiKey);
});

test("nextRequest hands out each request once, whether it came before or after", async () => {
  const { fake, client } = await harness();
  fake.scriptAlways(say("ok"));
  await client.messages.create(ask());
  const first = await fake.nextRequest();
  const second = fake.nextRequest();
  await client.messages.create(ask());
  expect([first.seq, (await second).seq]).toEqual([1, 2]);
});

test("waitFor settles when so many requests to the path have come, others not counted", async () => {
  const { fake, client } = await harness();
  fake.scriptAlways(say("ok"));
  const two = fake.waitFor(2);
  await client.models.list();
  await Promise.all([client.messages.create(ask()), client.messages.create(ask())]);
  expect((await two).map((request) => request.path)).toEqual(["/v1/messages", "/v1/messages"]);
});

test("a complete answer ends as answered, with its bytes counted", async () => {
  const { fake, client } = await harness();
  fake.script(say("four score"));
  const raw = await client.messages.create(ask()).asResponse();
  const body = await raw.text();
  const request = await fake.nextRequest();
  expect(await request.ended).toMatchObject({ kind: "answered", bytesSent: Buffer.byteLength(body) });
});

test("the server sees the client's abort, and when", async () => {
  const { fake, client } = await harness();
  const gate = fake.gate();
  fake.script(say(["begin", gate, "never sent"]));
  const stream = client.messages.stream(ask());
  const failed = rejection(stream.finalMessage());
  const request = await fake.nextRequest();
  await gate.reached;

  const before = performance.timeOrigin + performance.now();
  stream.abort();
  const at = await request.aborted;

  expect(at).toBeGreaterThanOrEqual(before);
  expect(await request.ended).toMatchObject({ kind: "aborted", at });
  expect(await failed).toBeInstanceOf(APIUserAbortError);
});

test("an abort before the status line is seen as well", async () => {
  const { fake, client } = await harness();
  const gate = fake.gate();
  fake.script({ ...say("late"), hold: gate });
  const stream = client.messages.stream(ask());
  const failed = rejection(stream.finalMessage());
  await gate.reached;
  stream.abort();
  const request = await fake.nextRequest();
  expect(await request.ended).toMatchObject({ kind: "aborted", bytesSent: 0 });
  await failed;
});

test("a cut by the fake is told apart from an abort by the client", async () => {
  const { fake, client } = await harness();
  fake.fault({ kind: "cutBytes", bytes: 10 });
  await rejection(client.messages.stream(ask()).finalMessage());
  const request = await fake.nextRequest();
  expect(await request.ended).toMatchObject({ kind: "cut", bytesSent: 10 });
});

test("close ends open answers and rejects waits that can no longer be met", async () => {
  const { fake, client } = await harness();
  fake.fault({ kind: "stall", afterDeltas: 0 });
  const stalled = rejection(client.messages.stream(ask()).finalMessage());
  await fake.nextRequest();
  const waiting = rejection(fake.nextRequest());
  await fake.close();
  expect(await stalled).toBeInstanceOf(AnthropicError);
  expect(await waiting).toMatchObject({ message: expect.stringContaining("closed") });
});
