/** MCP servers as requests: what each offers, and that somebody has looked. */

import { expect, it, onTestFinished } from "vitest";
import { serverRequests } from "../../../src/features/mcp/feature.ts";
import { createRig, type Rig, type RigOptions } from "../../adapters/http/rig.ts";
import { fakeServers, LOOK } from "./fake-servers.ts";

const open = async (
  options: RigOptions = {},
): Promise<{ readonly rig: Rig; readonly accepted: readonly string[] }> => {
  const { servers, accepted } = fakeServers();
  const operator = options.operator ?? { id: "console:operator", mayDrive: true, mayApprove: true };
  const rig = await createRig({ requests: serverRequests(() => ({ servers, operator })), ...options });
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
