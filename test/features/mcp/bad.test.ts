/** Servers that misbehave: none holds up the host, gets at its secrets, or has anything done that nobody accepted. */

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../../sandbox/types.ts";
import { accepted, createWorld, entryOf, fake, openSandbox, SECRET, type World } from "./world.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const one = (manner: string, rest: Parameters<typeof entryOf>[2] = {}): Promise<World> =>
  accepted(createWorld(sandbox, [entryOf("one", fake(manner), rest)]));

test("one that behaves answers; its answer is quoted, and its own secret is masked in it", async () => {
  const world = await one("good");
  const { text, isError, reached } = await world.call("one", "echo", { text: `say ${SECRET}` });
  expect(isError).toBe(false);
  expect(text).toContain('<untrusted-quote author="MCP server one"');
  expect(text).toContain("| echo: say *** ***");
  expect(text).not.toContain(SECRET);
  expect(reached).toEqual([{ host: "MCP server one", port: 0, allowed: true }]);
  expect(world.logged.join("\n")).not.toContain(SECRET);
});

test("one that hangs: the call ends with its time, and the next one too", async () => {
  const world = await one("hangs", { timeout: 500 });
  const { text, isError } = await world.call("one", "echo");
  expect(isError).toBe(true);
  expect(text).toContain("nobody knows whether it was done");
  expect((await world.call("one", "echo")).isError).toBe(true);
});

test("a call that is stopped ends at once", async () => {
  const world = await one("hangs");
  await world.list();
  const { text } = await world.call("one", "echo", {}, AbortSignal.timeout(300));
  expect(text).toContain("it was stopped");
});

test("one that floods, or whose message never ends, is ended, and begun again for the next call", async () => {
  for (const [manner, why] of [
    ["floods", "more than a server may within a minute"],
    ["endless", "longer than 4 MiB"],
  ] as const) {
    const world = await one(manner);
    const { text, isError } = await world.call("one", "echo");
    expect(isError).toBe(true);
    expect(text).toContain(why);
    expect((await world.list()).text).toContain("one has 2 tools");
  }
});

test("one that dies says its last words, and is begun again for the next call", async () => {
  const world = await one("dies");
  const { text } = await world.call("one", "echo");
  expect(text).toContain("the program ended with status 3: not a message");
  expect(text).toContain("cannot go on: out of luck");
  expect((await world.list()).text).toContain("one has 2 tools");
  expect(world.logged.filter((line) => line.startsWith("mcp: server started"))).toHaveLength(2);
});

test("answers out of order go to whoever asked", async () => {
  const world = await one("shuffles");
  const [first, second] = await Promise.all([
    world.call("one", "echo", { text: "first" }),
    world.call("one", "echo", { text: "second" }),
  ]);
  expect(first.text).toContain("| first");
  expect(second.text).toContain("| second");
});

test("sampling and elicitation are declined, and the model is told", async () => {
  const { text } = await (await one("asks")).call("one", "echo");
  expect(text).toContain("-32601");
  expect(text).toContain('{"action":"decline"}');
  expect(text).toContain("[It asked for sampling/createMessage meanwhile, which Parley declines.]");
  expect(text).toContain("[It asked for elicitation/create meanwhile, which Parley declines.]");
});

test("a tool that changes is off until somebody accepts the list that they saw", async () => {
  const world = await one("changes");
  expect((await world.call("one", "echo")).text).toContain("| changed");
  // Two calls at once: neither runs on the list from before the change.
  for (const off of await Promise.all([world.call("one", "echo"), world.call("one", "echo")])) {
    expect(off.isError).toBe(true);
    expect(off.text).toContain("not as it was when somebody looked");
  }
  expect((await world.list("one")).text).toContain("1 more are off");
  const look = await world.servers.look("one");
  if (look.kind === "failed") throw new Error(look.why);
  expect(look.tools.map(({ name, standing }) => `${name} ${standing}`)).toEqual([
    "echo changed",
    "write usable",
  ]);
  expect(await world.servers.accept("one", "00000000", "slack:U1")).toMatchObject({ kind: "refused" });
  expect((await world.call("one", "echo")).isError).toBe(true);
  expect(await world.servers.accept("one", look.code, "slack:U1")).toEqual({ kind: "done" });
  expect((await world.call("one", "echo")).isError).toBe(false);
});

test("tools that nobody could name, and a second one of a name, are left out", async () => {
  const world = await one("odd");
  const look = await world.servers.look("one");
  if (look.kind === "failed") throw new Error(look.why);
  expect(look.tools.map(({ name }) => name)).toEqual(["echo", "write"]);
  expect(look.unnamed).toBe(4);
  expect((await world.call("one", "<!channel>")).text).toContain("no tool of that name");
});

test("a program that is not there, or that is none, is told in a sentence, and not begun at every call", async () => {
  for (const [argv, why] of [
    [["/usr/bin/nothing"], "not found in the sandbox"],
    [["/bin/false"], "the program ended with status 1"],
  ] as const) {
    const world = createWorld(sandbox, [entryOf("one", { ...fake("good"), argv })]);
    expect((await world.list("one")).text).toContain(why);
    expect((await world.call("one", "echo")).text).toContain("again in a while");
    expect(await world.servers.accept("one", null, "slack:U1")).toMatchObject({ kind: "refused" });
    expect(world.logged.filter((line) => line.startsWith("mcp: server not started"))).toHaveLength(2);
  }
});

test("40.A9 one that reports a change with each list is listed and called all the same", async () => {
  const world = await one("relists");
  expect((await world.list()).text).toContain("one has 2 tools");
  expect((await world.call("one", "echo", { text: "there" })).text).toContain("| echo: there");
});

test.each([
  ["wrong", "its answer has more than 2000 entries in content"],
  ["flat", "has more than 20000 elements"],
  ["notices", "more than a server may within a minute"],
])("40.A1 one whose answer is %s is told in one sentence, and the host goes on", async (manner, why) => {
  const world = await one(manner);
  const { text, isError } = await world.call("one", "echo");
  expect([isError, text.length < 2_000]).toEqual([true, true]);
  expect(text).toContain(why);
  expect((await world.list()).text).toContain("one has 2 tools");
});
