import { expect, test } from "vitest";
import { z } from "zod";
import { launchFake } from "../../shared/launch.ts";
import { boltOn } from "../bolt.ts";

const announced = z.object({
  url: z.string(),
  apiUrl: z.string(),
  botToken: z.string(),
  appToken: z.string(),
});

test("a fake of its own process is talked to, disturbed, read and ended from outside", async () => {
  const { server, told, end } = await launchFake(new URL("../main.ts", import.meta.url), announced, {
    FAKE_SLACK: JSON.stringify({ rates: "off", users: [{ name: "dora" }] }),
  });
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
  expect(await end()).toEqual([0, null]);
});
