import { HTTPError, RateLimitError, Routes } from "discord.js";
import { expect, test } from "vitest";
import { harness, refusal, restOn } from "../harness.ts";

const scene = async (options: Parameters<typeof harness>[0] = {}) => {
  const all = await harness(options);
  const route = Routes.channelMessages(all.fake.world.channelNamed("general").id);
  return {
    ...all,
    route,
    send: (content: string, rest = all.rest) => rest.post(route, { body: { content } }),
  };
};

test("a bucket is told in the headers and the real client keeps to it", async () => {
  const { fake, send } = await scene();
  for (const content of ["1", "2", "3", "4", "5"]) await send(content);
  await expect(send("6")).rejects.toBeInstanceOf(RateLimitError);
  expect(fake.calls).toHaveLength(5);
  const other = Routes.channelMessages(fake.world.channelNamed("other").id);
  await restOn(fake).post(other, { body: { content: "elsewhere" } });
});

test("who does not keep to it gets 429 with the time to wait", async () => {
  const { fake, clock, send, route } = await scene();
  for (const content of ["1", "2", "3", "4", "5"]) await send(content);
  const post = () =>
    fetch(`${fake.apiUrl}/v10${route}`, {
      method: "POST",
      headers: {
        authorization: `Bot ${fake.token}`,
        "content-type": "application/json",
        "user-agent": "DiscordBot (https://example.com, 1)",
      },
      body: '{"content":"6"}',
    });
  const limited = await post();
  expect(limited.status).toBe(429);
  expect(limited.headers.get("retry-after")).toBe("5");
  expect(limited.headers.get("x-ratelimit-scope")).toBe("user");
  expect(await limited.json()).toMatchObject({ retry_after: 5, global: false });
  clock.advance(5_000);
  const through = await post();
  expect([through.status, through.headers.get("x-ratelimit-remaining")]).toEqual([200, "4"]);
  expect(fake.violations).toEqual([]);
});

test("fifty a second is all there is for a bot", async () => {
  const { send } = await scene({
    rates: { global: { size: 2, perMs: 1_000 }, "POST /channels/{channel}/messages": { size: 99, perMs: 1 } },
  });
  await send("1");
  await send("2");
  await expect(send("3")).rejects.toMatchObject({ global: true });
});

test("renames of a thread are limited apart from its other changes", async () => {
  const { fake, rest } = await scene();
  const thread = fake.as("alice").openThread("general", "a");
  fake.admin.overwrite("general", "parley", { allow: ["ManageThreads"] });
  const patch = (body: object): Promise<unknown> => rest.patch(Routes.channel(thread), { body });
  await patch({ name: "b" });
  await patch({ name: "c" });
  await expect(patch({ name: "d" })).rejects.toBeInstanceOf(RateLimitError);
});

test("edits of a message older than an hour run out", async () => {
  const { clock, rest, route, send } = await scene();
  const id = String(Object(await send("old")).id);
  clock.advance(3_600_001);
  const edit = () => rest.patch(`${route}/${id}`, { body: { content: "new" } });
  for (let count = 0; count < 3; count += 1) await edit();
  await expect(edit()).rejects.toBeInstanceOf(RateLimitError);
});

test("too many invalid requests end in a ban", async () => {
  const { fake, rest, route } = await scene({ rates: { invalid: { size: 2, perMs: 600_000 } } });
  fake.admin.overwrite("general", "parley", { deny: ["SendMessages"] });
  const post = () => rest.post(route, { body: { content: "no" } });
  expect(await refusal(post())).toMatchObject({ code: 50_013 });
  expect(await refusal(post())).toMatchObject({ code: 50_013 });
  await expect(post()).rejects.toBeDefined();
  expect(fake.violations.splice(0)).toHaveLength(1);
});

test.each([
  ["500", { kind: "status", status: 500 }],
  ["a proxy's page", { kind: "status", status: 502, body: "html" }],
  ["503 with nothing", { kind: "status", status: 503, body: "empty" }],
] as const)("%s is an HTTP error and nothing is applied", async (_name, fault) => {
  const { fake, send } = await scene();
  fake.fault(fault);
  await expect(send("a")).rejects.toBeInstanceOf(HTTPError);
  expect(fake.asText("general")).toBe("");
});

test.each([true, false])("a connection cut instead of an answer: applied %s", async (applied) => {
  const { fake, send } = await scene();
  fake.fault(
    { kind: "cut", applied },
    { match: { route: "POST /channels/{channel}/messages", contains: "a" } },
  );
  await expect(send("a")).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(fake.asText("general")).toBe(applied ? "--- from: @parley (bot)\na\n" : "");
});

test.each([true, false])("no answer until the client gives up: applied %s", async (applied) => {
  const { fake, send } = await scene();
  fake.fault({ kind: "stall", applied });
  await expect(send("a", restOn(fake, { timeout: 50 }))).rejects.toMatchObject({ name: "AbortError" });
  await expect.poll(() => fake.asText("general")).toBe(applied ? "--- from: @parley (bot)\na\n" : "");
});

test("an error of Discord's, a 429 of a shared resource, and a slow answer", async () => {
  const { fake, send } = await scene();
  fake.fault({ kind: "error", status: 403, code: 50_013, message: "Missing Permissions" });
  expect(await refusal(send("a"))).toMatchObject({ code: 50_013 });
  fake.fault({ kind: "limited", retryAfter: 2, scope: "shared" });
  await expect(send("a", restOn(fake))).rejects.toMatchObject({ scope: "shared" });
  const gate = fake.gate();
  fake.fault({ kind: "wait", gate: gate.gate, when: "after" });
  const sent = send("b", restOn(fake));
  await gate.reached;
  expect(fake.asText("general")).toContain("b");
  gate.open();
  await sent;
});
