import { expect, test } from "vitest";
import { clientOf, harness, postMessage, rejection } from "../harness.ts";

const a = { channel: "CGENERAL", text: "a" } as const;

const texts = async ({
  client,
}: Pick<Awaited<ReturnType<typeof harness>>, "client">): Promise<readonly unknown[]> => {
  const { messages } = await client.conversations.history({ channel: "CGENERAL" });
  return (messages ?? []).map(({ text }) => text);
};

test("429 with Retry-After reaches the client as a rate limit error, and nothing is posted", async () => {
  const { fake, client } = await harness();
  fake.fault({ kind: "status", status: 429, retryAfter: "7" }, { match: { method: "chat.postMessage" } });
  expect(await rejection(postMessage(client, a))).toMatchObject({
    code: "slack_webapi_rate_limited_error",
    retryAfter: 7,
  });
  expect(await texts({ client })).toEqual([]);
  await postMessage(client, a);
  expect(await texts({ client })).toEqual(["a"]);
});

test("429 without the header is an error without a time", async () => {
  const { fake, client } = await harness();
  fake.fault({ kind: "status", status: 429 });
  const error = await rejection(postMessage(client, a));
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toHaveProperty("retryAfter");
  await postMessage(client, a);
});

test.each([
  ["500 with JSON", { kind: "status", status: 500 }],
  ["502 with a proxy's page", { kind: "status", status: 502, body: "html" }],
  ["503 with nothing", { kind: "status", status: 503, body: "empty" }],
] as const)("%s is an HTTP error, and nothing is posted", async (_name, fault) => {
  const { fake, client } = await harness();
  fake.fault(fault);
  expect(await rejection(postMessage(client, a))).toMatchObject({
    code: "slack_webapi_http_error",
    statusCode: fault.status,
  });
  expect(await texts({ client })).toEqual([]);
});

test("a 200 that holds nonsense does not pass for an answer", async () => {
  const { fake, client } = await harness();
  fake.fault({ kind: "nonsense", text: "<html>" });
  expect(await rejection(postMessage(client, a))).toBeInstanceOf(Error);
  expect(await texts({ client })).toEqual([]);
});

test.each([false, true])("an error of Slack's own: applied %s", async (applied) => {
  const { fake, client } = await harness();
  fake.fault({ kind: "error", error: "internal_error", applied });
  expect(await rejection(postMessage(client, a))).toMatchObject({ data: { error: "internal_error" } });
  expect(await texts({ client })).toEqual(applied ? ["a"] : []);
});

test.each([
  [true, "reset"],
  [true, "end"],
  [false, "reset"],
] as const)("a connection cut instead of an answer: applied %s, by %s", async (applied, how) => {
  const { fake, client } = await harness();
  fake.fault({ kind: "cut", applied, how });
  expect(await rejection(postMessage(client, a))).toMatchObject({ code: "slack_webapi_request_error" });
  expect(await texts({ client })).toEqual(applied ? ["a"] : []);
});

test("the usual retry after a cut that came after the deed makes the duplicate", async () => {
  const { fake } = await harness();
  const client = clientOf(fake, { retryConfig: { retries: 1, minTimeout: 1, maxTimeout: 1 } });
  fake.fault({ kind: "cut", applied: true });
  await postMessage(client, a);
  expect(await texts({ client })).toEqual(["a", "a"]);
});

test.each([true, false])("no answer at all until the client gives up: applied %s", async (applied) => {
  const { fake, client } = await harness();
  const impatient = clientOf(fake, { timeout: 2_000 });
  fake.fault({ kind: "stall", applied }, { match: { method: "chat.postMessage" } });
  expect(await rejection(postMessage(impatient, a))).toMatchObject({ code: "slack_webapi_request_error" });
  const [call] = await fake.waitFor(1, "chat.postMessage");
  expect(await call?.exchange.ended).toMatchObject({ kind: "aborted" });
  expect(await texts({ client })).toEqual(applied ? ["a"] : []);
});

test("a slow answer waits at its gate, before or after the deed", async () => {
  const { fake, client } = await harness();
  for (const when of ["before", "after"] as const) {
    const gate = fake.gate();
    fake.fault({ kind: "wait", gate: gate.gate, when }, { match: { contains: when } });
    const posted = postMessage(client, { channel: "CGENERAL", text: when });
    await gate.reached;
    expect((await texts({ client })).includes(when)).toBe(when === "after");
    gate.open();
    expect(await posted).toMatchObject({ ok: true });
  }
});

test("a fault is for the calls that it matches only", async () => {
  const { fake, client } = await harness({ channels: [{ name: "general" }, { name: "other" }] });
  fake.fault({ kind: "status", status: 500 }, { match: { channel: "COTHER", contains: "b" } });
  await postMessage(client, a);
  await postMessage(client, { channel: "COTHER", text: "a" });
  await rejection(postMessage(client, { channel: "COTHER", text: "b" }));
  await postMessage(client, { channel: "COTHER", text: "b" });
});

test("a channel takes five posts at once and then one a second, by the clock", async () => {
  const { fake, client, clock } = await harness({ channels: [{ name: "general" }, { name: "other" }] });
  for (const text of ["1", "2", "3", "4", "5"]) {
    await postMessage(client, { channel: "CGENERAL", text });
  }
  expect(await rejection(postMessage(client, a))).toMatchObject({ retryAfter: 1 });
  await postMessage(client, { channel: "COTHER", text: "elsewhere" });
  clock.advance(1000);
  await postMessage(client, a);
  expect(await rejection(postMessage(client, a))).toMatchObject({ retryAfter: 1 });
  expect(fake.violations).toEqual([]);
});

test("a method's tier holds for the workspace; other rates can be given, or none", async () => {
  const strict = await harness({ rates: { "users.info": { size: 2, perMinute: 1 } } });
  await strict.client.users.info({ user: "UALICE" });
  await strict.client.users.info({ user: "UBOB" });
  expect(await rejection(strict.client.users.info({ user: "UBOB" }))).toMatchObject({ retryAfter: 60 });
  const free = await harness({ rates: "off" });
  for (let at = 0; at < 20; at += 1) {
    await postMessage(free.client, a);
  }
  const [first] = free.fake.calls;
  expect(first).toMatchObject({ seq: 1, method: "chat.postMessage", args: a });
  expect(JSON.stringify(free.fake.calls)).not.toContain("xoxb");
});
