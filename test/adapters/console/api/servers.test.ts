/** MCP servers as requests: what each offers, what a channel may use, and that somebody has looked. */

import { expect, it, onTestFinished } from "vitest";
import type { ServerLook, ToolServers } from "../../../../src/ports/mcp/servers.ts";
import { createRig, type Rig, type RigOptions } from "../rig.ts";

const LOOK: ServerLook = {
  kind: "tools",
  tools: [{ name: "get", summary: "Gets.", access: "read", standing: "changed" }],
  unnamed: 0,
  unknown: [],
  code: "1a2b3c4d",
};

const open = async (
  options: RigOptions = {},
): Promise<{ readonly rig: Rig; readonly accepted: readonly string[] }> => {
  const accepted: string[] = [];
  const servers: ToolServers = {
    names: ["linear", "down"],
    look: (server) => Promise.resolve(server === "down" ? { kind: "failed", why: "out of luck" } : LOOK),
    accept: (server, code, by) => {
      if (code !== LOOK.code) return Promise.resolve({ kind: "refused", why: "That is another list." });
      accepted.push(`${server} ${by}`);
      return Promise.resolve({ kind: "done" });
    },
  };
  const rig = await createRig({ servers, ...options });
  onTestFinished(() => rig.close());
  return { rig, accepted };
};

it("lists them with their tools, and accepts the list that was shown and no other", async () => {
  const { rig, accepted } = await open();
  expect((await rig.call("GET", "/api/servers")).body).toEqual({
    servers: [
      { name: "linear", ...LOOK },
      { name: "down", kind: "failed", why: "out of luck" },
    ],
  });
  const stale = await rig.call("POST", "/api/servers/accept", { server: "linear", code: "00000000" });
  expect(stale.status).toBe(400);
  expect(accepted).toEqual([]);
  const done = await rig.call("POST", "/api/servers/accept", { server: "linear", code: LOOK.code });
  expect(done.status).toBe(200);
  expect(accepted).toEqual(["linear console:operator"]);
});

it("whoever may not approve accepts nothing", async () => {
  const operator = { id: "console:operator", mayDrive: true, mayApprove: false } as const;
  const { rig, accepted } = await open({ operator });
  const refused = await rig.call("POST", "/api/servers/accept", { server: "linear", code: LOOK.code });
  expect(refused.status).toBe(403);
  expect(accepted).toEqual([]);
});

it("a channel takes servers that there are", async () => {
  const { rig } = await open();
  const channel = { surface: "slack", place: "CGENERAL" };
  const unknown = await rig.call("POST", "/api/channels", { ...channel, servers: ["jira"] });
  expect(unknown.status).toBe(400);
  expect(JSON.stringify(unknown.body)).toContain("There is no MCP server jira. There are linear, down.");
  await rig.call("POST", "/api/channels", { ...channel, servers: ["linear"] });
  await rig.call("POST", "/api/channels", { ...channel, mode: null });
  expect((await rig.call("GET", "/api/channels")).body).toMatchObject({
    channels: [{ ...channel, servers: ["linear"] }],
  });
});
