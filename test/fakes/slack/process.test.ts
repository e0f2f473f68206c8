import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { boltOn } from "./bolt.ts";

const announced = z.object({
  url: z.string(),
  apiUrl: z.string(),
  botToken: z.string(),
  appToken: z.string(),
});

const launch = async () => {
  const child = spawn(process.execPath, [new URL("main.ts", import.meta.url).pathname], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, FAKE_SLACK: JSON.stringify({ rates: "off", users: [{ name: "dora" }] }) },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [line] = await once(createInterface(child.stdout), "line");
  const server = announced.parse(JSON.parse(String(line)));
  const told = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(
      `${server.url}/__fake/${path}`,
      body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
    );
    return { status: response.status, ...z.record(z.string(), z.unknown()).parse(await response.json()) };
  };
  return { child, server, told };
};

test("a fake of its own process is talked to, disturbed, read and ended from outside", async () => {
  const { child, server, told } = await launch();
  const app = boltOn(server);
  app.event("app_mention", async ({ event, say }) => {
    await say({ text: "yes?", thread_ts: event.ts });
  });
  app.action("ok", async ({ ack }) => ack());
  await app.start();
  expect(await told("sockets?atLeast=1")).toMatchObject({ open: 1 });
  expect(
    await told("deliveryFaults", { faults: [{ kind: "duplicate" }], match: { event: "app_mention" } }),
  ).toEqual({
    status: 200,
    faults: 1,
  });

  const said = z
    .object({ channel: z.string(), ts: z.string() })
    .parse(
      await told("as", { user: "dora", deed: { kind: "say", channel: "general", text: "@parley hello" } }),
    );
  await told("journal?method=chat.postMessage&atLeast=2");
  expect(await told(`thread?channel=${said.channel}&ts=${said.ts}`)).toMatchObject({
    text: "--- from: @dora\n@parley hello\n--- from: parley (bot)\nyes?\n--- from: parley (bot)\nyes?\n",
  });

  expect(await told("faults", { faults: [{ kind: "error", error: "internal_error" }] })).toMatchObject({
    faults: 1,
  });
  await expect(app.client.users.info({ user: "UDORA" })).rejects.toMatchObject({
    data: { error: "internal_error" },
  });
  const button = { type: "button", action_id: "ok", text: { type: "plain_text", text: "OK" } };
  const asked = await app.client.apiCall("chat.postMessage", {
    channel: "CGENERAL",
    blocks: [{ type: "actions", elements: [button] }],
  });
  const click = {
    kind: "click",
    channel: "CGENERAL",
    ts: z.object({ ts: z.string() }).parse(asked).ts,
    label: "OK",
  };
  expect(await told("as", { user: "dora", deed: click })).toMatchObject({ kind: "acknowledged" });
  expect(await told("as", { user: "dora", deed: { ...click, label: "No" } })).toMatchObject({ status: 400 });
  expect(await told("nonsense")).toMatchObject({ status: 400 });
  expect(await told("violations")).toMatchObject({ violations: [] });

  await app.stop();
  const exited = once(child, "exit");
  child.stdin.end();
  expect(await exited).toEqual([0, null]);
});
