/** A downgrade ends what was begun in the background, whatever the permission was then; Stop and the host's end do, too. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { call, say } from "../fakes/anthropic/turn.ts";
import { descendants } from "../escape/arena/traces.ts";
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
  await vi.waitFor(() => expect(runs(rig)).toBe(true), { interval: 20 });

  expect((await thread.act({ action: "restrict" })).body).toMatchObject({ result: "done" });
  await vi.waitFor(() => expect(runs(rig)).toBe(false), { interval: 10 });
  expect((await thread.read()).permission).toBe("restricted");
});

it("what was begun in the background while Restricted is read there, goes on in Unrestricted, and ends with a downgrade", async () => {
  const rig = await createRig({ PARLEY_SAFE_MODE: "off" });
  const thread = await rig.begin();
  const command = "echo it said this; (setsid sleep 600.125 &) ; trap '' TERM HUP; sleep 600.125";
  rig.fake.script(call("bash", { command, mode: "background" }), say("it runs"));
  await thread.turn("begin");
  await vi.waitFor(() => expect(runs(rig)).toBe(true), { interval: 20 });
  const [, file = "none"] =
    /<output_file>([^<]+)</.exec(JSON.stringify(rig.fake.requests.at(-1)?.body)) ?? [];
  rig.fake.script(call("bash", { command: `until grep this ${file}; do sleep 0.05; done` }), say("read"));
  await thread.turn("read it");
  expect(JSON.stringify(rig.fake.requests.at(-1)?.body)).toContain('"it said this\\n"');

  rig.fake.script(call("request_mode_upgrade", { reason: "r" }));
  const asked = await thread.turn("more");
  rig.fake.script(say("thanks"));
  await thread.act({ action: "decide", question: asked.question?.id, choice: "approve" });
  expect((await thread.until("idle")).permission).toBe("unrestricted");
  expect(runs(rig)).toBe(true);

  expect((await thread.act({ action: "restrict" })).body).toMatchObject({ result: "done" });
  await vi.waitFor(() => expect(runs(rig)).toBe(false), { interval: 10 });
  rig.fake.script(call("bash", { command: `tail -n 1 ${file}` }), say("over"));
  await thread.turn("and now");
  expect(JSON.stringify(rig.fake.requests.at(-1)?.body)).toContain("[background process failed: stopped]");
});

it("what was begun in the background while Restricted ends with Stop, and with the host", async () => {
  const rig = await createRig();
  const thread = await rig.begin();
  const begin = async (): Promise<void> => {
    rig.fake.script(call("bash", { command: "sleep 600.125", mode: "background" }), say("it runs"));
    await thread.turn("begin");
    await vi.waitFor(() => expect(runs(rig)).toBe(true), { interval: 20 });
  };
  await begin();
  expect((await thread.act({ action: "stop" })).body).toMatchObject({ result: "done" });
  await vi.waitFor(() => expect(runs(rig)).toBe(false), { interval: 10 });
  await begin();
  const ours = descendants(rig.host().process.pid);
  await rig.host().stop("SIGTERM");
  await vi.waitFor(() => expect(ours.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]), {
    interval: 10,
  });
});

it("row 76: a call that runs when a person tightens writes on to its end; the next ones cannot, by patch or by command", async () => {
  const rig = await createRig({ PARLEY_SAFE_MODE: "off" });
  const thread = await rig.begin();
  rig.fake.script(call("request_mode_upgrade", { reason: "r" }));
  const asked = await thread.turn("begin");
  // It says that it runs, waits for the test's word, and only then writes.
  const command = "touch begun; until [ -e go ]; do sleep 0.05; done; touch late && echo wrote late";
  const patch = { path: "p.txt", patches: [{ operation: "overwrite", newText: "x" }] };
  const uses = [call("bash", { command }), call("patch", patch), call("bash", { command: "touch later" })];
  rig.fake.script({ content: uses.flatMap(({ content }) => content) }, say("done"));
  await thread.act({ action: "decide", question: asked.question?.id, choice: "approve" });
  const work = join(rig.data, "threads", thread.id, "work");
  await vi.waitFor(() => expect(existsSync(join(work, "begun"))).toBe(true), { interval: 20 });

  expect((await thread.act({ action: "restrict" })).body).toMatchObject({ result: "done" });
  writeFileSync(join(work, "go"), "");
  await thread.until("idle");
  const told = JSON.stringify(rig.fake.requests.at(-1)?.body);
  expect(told).toContain("wrote late");
  expect(told).toContain("Patch tool is disabled in Restricted mode. Use request_mode_upgrade");
  expect(["late", "p.txt", "later"].filter((name) => existsSync(join(work, name)))).toEqual(["late"]);
});
