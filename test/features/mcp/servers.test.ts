/** Servers over time, with connections that the test makes: shared, ended when idle, begun anew later and later. */

import { expect, test } from "vitest";
import type { Clock } from "../../../src/ports/host.ts";
import type { McpConnection, Tooling } from "../../../src/features/mcp/connection.ts";
import { serverStatusText } from "../../../src/features/mcp/command.ts";
import { createServers } from "../../../src/features/mcp/servers.ts";
import { entryOf, program } from "./world.ts";
import { english } from "../../../src/i18n/say.ts";

const tool = (name: string, hash = `h-${name}`) => ({
  name,
  description: `${name}\nmore`,
  inputSchema: {},
  hash,
});

const open = (fails = 0) => {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly fire: () => void }>();
  const clock: Clock = {
    now: () => now,
    after: (delay, fire) => {
      const timer = { at: now + delay, fire };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  let opened = 0;
  let closed = 0;
  let tooling: Tooling = { tools: [tool("echo"), tool("write")], unnamed: 0 };
  const state = { isAlive: true };
  const connection: McpConnection = {
    tools: () => Promise.resolve(tooling),
    call: () => Promise.resolve({ kind: "failed", why: "no", perhaps: false }),
    isAlive: () => state.isAlive,
    close: () => {
      closed += 1;
      return Promise.resolve();
    },
  };
  const notes = new Map<string, string>();
  const logged: string[] = [];
  const servers = createServers({
    entries: [entryOf("one", program([]), { reads: ["echo", "gone"] })],
    open: () => {
      opened += 1;
      state.isAlive = true;
      return opened <= fails ? Promise.reject(new Error("no sk-1234 luck")) : Promise.resolve(connection);
    },
    notes: {
      note: (name) => notes.get(name) ?? null,
      setNote: (name, value) => {
        notes.set(name, value);
        return Promise.resolve({ kind: "done" });
      },
    },
    clock,
    log: { info: () => undefined, warn: () => undefined, error: (message) => void logged.push(message) },
    mask: (text) => text.replaceAll("sk-1234", "***"),
  });
  return {
    servers,
    state,
    notes,
    logged,
    counts: () => ({ opened, closed }),
    offer: (...tools: Tooling["tools"]) => {
      tooling = { tools, unnamed: 0 };
    },
    pass: (ms: number) => {
      now += ms;
      for (const timer of timers) if (timer.at <= now) timer.fire();
    },
  };
};

test("one connection for all who ask, ended after a quarter of an hour without a call", async () => {
  const { servers, counts, pass } = open();
  await Promise.all([servers.tools("one"), servers.tools("one"), servers.look("one")]);
  expect(counts()).toEqual({ opened: 1, closed: 0 });
  pass(14 * 60_000);
  await servers.tools("one");
  pass(14 * 60_000);
  expect(counts()).toEqual({ opened: 1, closed: 0 });
  pass(60_000);
  await expect.poll(counts).toEqual({ opened: 1, closed: 1 });
  await servers.tools("one");
  expect(counts().opened).toBe(2);
  await servers.close();
  expect(counts().closed).toBe(2);
  expect(await servers.tools("one")).toEqual({ kind: "failed", why: "this host is about to end" });
});

test("one that died is begun anew; one that cannot be begun is tried later and later, and at once for a person", async () => {
  const { servers, counts, state, pass } = open(3);
  expect(await servers.tools("one")).toEqual({ kind: "failed", why: "no *** luck" });
  expect(await servers.tools("one")).toMatchObject({ why: "no *** luck (tried once; again in a while)" });
  expect(counts().opened).toBe(1);
  pass(5_000);
  await servers.tools("one");
  pass(5_000);
  await servers.tools("one");
  expect(counts().opened).toBe(2);
  expect(await servers.look("one")).toMatchObject({ kind: "failed" });
  expect(counts().opened).toBe(3);
  expect(await servers.look("one")).toMatchObject({ kind: "tools" });
  state.isAlive = false;
  expect(await servers.tools("one")).toMatchObject({ kind: "tools" });
  expect(counts().opened).toBe(5);
});

test("tools are usable as somebody accepted them; the code names the list that was seen", async () => {
  const { servers, offer } = open();
  const standings = async () => {
    const look = await servers.look("one");
    return look.kind === "failed"
      ? look
      : look.tools.map(({ name, standing, access }) => `${name} ${access} ${standing}`);
  };
  expect(await standings()).toEqual(["echo read new", "write write new"]);
  expect(await servers.accept("one", null, "slack:U1")).toEqual({ kind: "done" });
  expect(await standings()).toEqual(["echo read usable", "write write usable"]);
  const look = await servers.look("one");
  expect(look).toMatchObject({ unknown: ["gone"], tools: [{ summary: "echo" }, { summary: "write" }] });

  offer(tool("echo", "another"), tool("write"), tool("new"));
  expect(await standings()).toEqual(["echo read changed", "write write usable", "new write new"]);
  // Whoever adds the server to one more channel accepts nothing by that.
  await servers.accept("one", null, "slack:U1");
  expect(await standings()).toContain("echo read changed");
  const stale = look.kind === "tools" ? look.code : "";
  expect(await servers.accept("one", stale, "slack:U1")).toMatchObject({ kind: "refused" });
  const fresh = await servers.look("one");
  expect(await servers.accept("one", fresh.kind === "tools" ? fresh.code : "", "slack:U1")).toEqual({
    kind: "done",
  });
  expect(await standings()).toEqual(["echo read usable", "write write usable", "new write usable"]);
  expect(await servers.accept("two", null, "slack:U1")).toMatchObject({ kind: "refused" });
});

test("where what was accepted cannot be read all tools are off, said so, until somebody accepts them anew", async () => {
  const { servers, notes, logged } = open();
  await servers.accept("one", null, "slack:U1");
  notes.set("mcp/one", "{");
  const look = await servers.look("one");
  expect(look).toMatchObject({ tools: [{ standing: "unread" }, { standing: "unread" }] });
  expect(serverStatusText("one", look, english)).toContain("the earlier acceptance cannot be read");
  expect(logged).toContain("mcp: accepted tools not read");
  // Whoever adds the server to one more channel accepts nothing by that.
  await servers.accept("one", null, "slack:U1");
  expect(await servers.look("one")).toEqual(look);
  await servers.accept("one", look.kind === "tools" ? look.code : "", "slack:U1");
  expect(await servers.look("one")).toMatchObject({
    tools: [{ standing: "usable" }, { standing: "usable" }],
  });
});

test("a tool that is called as objects' own fields are has no pin of theirs", async () => {
  const { servers, offer } = open();
  await servers.accept("one", null, "slack:U1");
  offer(tool("constructor"), tool("toString"));
  const look = await servers.look("one");
  expect(look.kind === "tools" ? look.tools.map(({ standing }) => standing) : []).toEqual(["new", "new"]);
});
