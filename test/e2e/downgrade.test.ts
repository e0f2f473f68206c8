/** A downgrade ends what was begun in the background while the conversation was Unrestricted (issue 3, 4). */

import { existsSync, readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { call, say } from "../fakes/anthropic/turn.ts";
import { descendants } from "../escape/traces.ts";
import { createRig, type Rig } from "./rig.ts";

const runs = (rig: Rig): boolean =>
  descendants(rig.host().process.pid).some((pid) => {
    const path = `/proc/${pid}/cmdline`;
    return existsSync(path) && readFileSync(path, "utf8").includes("600.125");
  });

it("background commands begun Unrestricted die with a downgrade, daemonised or not; until then they live on", async () => {
  const rig = await createRig({ PARLEY_SAFE_MODE: "off" });
  const thread = await rig.begin();
  rig.fake.script(call("request_mode_upgrade", { reason: "r" }));
  const asked = await thread.turn("begin");
  const command = "(setsid sleep 600.125 &) ; trap '' TERM HUP; sleep 600.125; sleep 600.125";
  rig.fake.script(call("bash", { command, mode: "background" }), say("it runs"));
  await thread.act({ action: "decide", question: asked.question?.id, choice: "approve" });
  expect((await thread.until("idle")).permission).toBe("unrestricted");
  await vi.waitFor(() => expect(runs(rig)).toBe(true), { timeout: 10_000, interval: 20 });

  expect((await thread.act({ action: "restrict" })).body).toMatchObject({ result: "done" });
  await vi.waitFor(() => expect(runs(rig)).toBe(false), { timeout: 10_000, interval: 10 });
  expect((await thread.read()).permission).toBe("restricted");
});
