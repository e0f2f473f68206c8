import { once } from "node:events";
import { Events } from "discord.js";
import { expect, test } from "vitest";
import { z } from "zod";
import { launchFake } from "../../shared/launch.ts";
import { clientOn } from "../harness.ts";

const announced = z.object({ url: z.string(), apiUrl: z.string(), token: z.string() });

test("a fake of its own process is talked to, disturbed, read and ended from outside", async () => {
  const { server, told, end } = await launchFake(new URL("../main.ts", import.meta.url), announced, {
    FAKE_DISCORD: JSON.stringify({ rates: "off" }),
  });
  const client = clientOn(server);
  client.on(Events.MessageCreate, (message) => {
    if (!message.author.bot) void message.reply("yes?");
  });
  const ready = once(client, Events.ClientReady);
  await client.login(server.token);
  await ready;
  const deed = { kind: "say", channel: "general", text: "@parley hello" };
  const said = z
    .object({ channel: z.string(), id: z.string() })
    .parse(await told("as", { user: "alice", deed }));
  await told(`journal?route=${encodeURIComponent("POST /channels/{channel}/messages")}&atLeast=1`);
  expect(await told("text?channel=general")).toMatchObject({
    text: "--- from: @alice\n@parley hello\n--- from: @parley (bot) (reply)\nyes?\n",
  });
  expect(await told("faults", { faults: [{ kind: "status", status: 503 }] })).toMatchObject({ faults: 1 });
  await expect(client.rest.get(`/channels/${said.channel}`)).rejects.toMatchObject({ status: 503 });
  await told("cut", {});
  await told("gateway?kind=resumed&atLeast=1");
  const click = { kind: "click", channel: said.channel, id: said.id, label: "Go" };
  expect(await told("as", { user: "alice", deed: click })).toMatchObject({ status: 400 });
  expect(await told("nonsense")).toMatchObject({ status: 400 });
  expect(await told("violations")).toMatchObject({ violations: [] });

  await client.destroy();
  expect(await end()).toEqual([0, null]);
});
